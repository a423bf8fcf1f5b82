// A web server on localhost for one page: its own two files, what both pages
// share, three.js and three-vrm, and the files that are put into `files`.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

import { packageFolder } from '../lib/packages.mjs';

const TYPES = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', glb: 'model/gltf-binary' };
// Where the page's scripts find their packages.
const PACKAGES = { three: 'three', 'three-vrm': '@pixiv/three-vrm' };

/** Serves the `page.html` and `page.mjs` of a folder. */
export async function servePage(folder) {
  const here = fileURLToPath(folder);
  const files = new Map();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    try {
      const body = files.get(pathname) ?? (await readFile(pathOf(here, pathname)));
      response.writeHead(200, { 'content-type': TYPES[pathname.split('.').pop()] ?? TYPES.html });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  // Any free port, and reachable from this machine only.
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    files,
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    }),
  };
}

function pathOf(here, pathname) {
  if (pathname === '/') return `${here}page.html`;
  if (pathname === '/page.mjs') return `${here}page.mjs`;
  if (pathname === '/panels.mjs') return fileURLToPath(new URL('panels.mjs', import.meta.url));
  const [, name, path] = /^\/([a-z-]+)\/([\w./-]+)$/.exec(pathname) ?? [];
  if (PACKAGES[name] && !path.includes('..')) return `${packageFolder(PACKAGES[name])}/${path}`;
  throw new Error('no such file');
}
