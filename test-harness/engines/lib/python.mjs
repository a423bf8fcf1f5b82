// Talks to an observer that is a Python program: one file at a time, a line of
// JSON to its standard input for each, and the observation in a file of its own,
// because Blender and assimp print to standard output as they like. When the
// program dies of a file, that file has failed, and the next one gets a new
// program.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const DONE = '@@ done';
const LAST_WORDS = 2000; // characters of what a dead program said

export class PythonObserver {
  /** `files` are those that the program reads, by name, as keys of the task. */
  constructor(python, script, files) {
    this.command = [python, script];
    this.files = files;
  }

  async observe(task) {
    const dir = await mkdtemp(join(tmpdir(), 'dramatis-engines-'));
    try {
      const path = (name) => join(dir, name);
      for (const [name, key] of Object.entries(this.files)) await writeFile(path(name), task[key]);
      await this.send({ dir, unit: task.unit ?? null, time: task.time });
      const seen = JSON.parse(await readFile(path('seen.json'), 'utf8'));
      if (seen.error) throw new Error(seen.error);
      return seen;
    } finally {
      await rm(dir, { recursive: true });
    }
  }

  // Resolves when the program says that it is done with the task.
  send(task) {
    this.child ??= this.start();
    const child = this.child;
    return new Promise((resolve, reject) => {
      child.answer = (error) => (error ? reject(error) : resolve());
      child.stdin.write(`${JSON.stringify(task)}\n`);
    });
  }

  start() {
    const [python, script] = this.command;
    // Unbuffered, and without the user's own packages in its way.
    const child = spawn(python, ['-u', '-s', script], { stdio: 'pipe' });
    let said = '';
    child.stderr.on('data', (text) => {
      said = (said + text).slice(-LAST_WORDS);
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === DONE) child.answer?.();
      else said = `${said}${line}\n`.slice(-LAST_WORDS);
    });
    const gone = (how) => {
      this.child = undefined;
      child.answer?.(new Error(`the observer ended with ${how}: ${said.trim()}`));
    };
    child.on('error', (error) => gone(error.message));
    child.on('exit', (code, signal) => gone(signal ?? `exit code ${code}`));
    child.stdin.on('error', () => {}); // told by `exit`
    return child;
  }

  async close() {
    this.child?.stdin.end();
  }
}
