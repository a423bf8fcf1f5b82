// Talks to an observer that is a program of its own: one file at a time, a line
// of JSON to its standard input for each, and the observation in a file of its
// own, because engines print to standard output as they like. When the program
// dies of a file or does not answer, that file has failed, and the next one gets
// a new program.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const DONE = '@@ done';
const LAST_WORDS = 2000; // characters of what a dead program said

/** How to start an observer in Python: unbuffered, without the user's own packages. */
export const pythonCommand = (python, script) => [python, '-u', '-s', script];

export class Observer {
  /**
   * `command` is the program with its arguments; `files` are those that it
   * reads, by name, as keys of the task; `options` are for starting it.
   */
  constructor(command, files, options = {}) {
    this.command = command;
    this.files = files;
    this.options = options;
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
    const [program, ...args] = this.command;
    const child = spawn(program, args, { stdio: 'pipe', ...this.options });
    let said = '';
    child.stderr.on('data', (text) => {
      said = (said + text).slice(-LAST_WORDS);
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === DONE) child.answer?.();
      else said = `${said}${line}\n`.slice(-LAST_WORDS);
    });
    const gone = (how) => {
      if (this.child === child) this.child = undefined;
      child.answer?.(new Error(`the observer ended with ${how}: ${said.trim()}`));
    };
    child.on('error', (error) => gone(error.message));
    child.on('exit', (code, signal) => gone(signal ?? `exit code ${code}`));
    child.stdin.on('error', () => {}); // told by `exit`
    return child;
  }

  /** Ends a program that does not answer. */
  abort() {
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  async close() {
    this.child?.stdin.end();
  }
}
