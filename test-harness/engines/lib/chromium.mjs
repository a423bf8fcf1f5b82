// Finds a Chromium, and installs Debian's when there is none.

import { spawnSync } from 'node:child_process';

import { installDebian } from './command.mjs';

// Milliseconds; the first start on a busy machine takes long, one that hangs is
// an error.
const LAUNCH_TIMEOUT = 120_000;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of a Chromium that answers: the environment's, or one on the path. */
export function ensureChromium(env = process.env) {
  if (env.CHROMIUM) {
    if (!answers(env.CHROMIUM)) throw new Error(`CHROMIUM names ${env.CHROMIUM}, which does not run`);
    return env.CHROMIUM;
  }
  const found = find();
  if (found) return found;
  installDebian('chromium');
  const installed = find();
  if (!installed) throw new Error('apt-get installed chromium, but no Chromium answers');
  return installed;
}

const answers = (path) => spawnSync(path, ['--version']).status === 0;

function find() {
  for (const name of NAMES) {
    const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' });
    if (status === 0 && answers(stdout.trim())) return stdout.trim();
  }
  return undefined;
}

/** How to start it: headless, drawing WebGL by software, asking no one outside. */
export function launchOptions(executablePath) {
  return {
    executablePath,
    headless: true,
    timeout: LAUNCH_TIMEOUT,
    args: [
      '--no-sandbox', // the sandbox refuses to run as root, as CI does
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // What still asks for its maker's servers is told that there are none.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  };
}
