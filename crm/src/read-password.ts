import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Unable } from './system/unable.ts';

/** Reads a password that is not on the command line: typed without being shown, or the first line of standard input. */
export async function readPassword(): Promise<string> {
  const { isTTY } = process.stdin;
  if (isTTY) process.stderr.write('Password: ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTTY });
  const { promise, resolve } = Promise.withResolvers<string>();
  lines.once('line', resolve).once('close', () => resolve(''));
  const password = await promise;
  lines.close();
  if (isTTY) process.stderr.write('\n');
  if (password !== '') return password;
  throw new Unable(
    'Usage',
    'The password is missing. Give one with --password or as the first line of standard input.',
  );
}
