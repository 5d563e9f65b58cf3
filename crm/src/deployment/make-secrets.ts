import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Report } from '../command-line.ts';
import { dataFolderOf, makeDataFolder, readIfThere } from '../system/data-folder.ts';
import { takeOperatorToken } from '../system/operator-token.ts';
import { passwordFileOf } from './deployment-config.ts';

/** Makes what nobody else must know, once: the database's password and the operator's token. */
export async function makeSecrets(env: NodeJS.ProcessEnv): Promise<Report> {
  const folder = dataFolderOf(env);
  makeDataFolder(folder);
  takeOperatorToken(env, folder);
  const file = passwordFileOf(folder);
  if (readIfThere(file) === undefined) {
    // The database reads it as another user; who else could is kept out by whoever holds the folder.
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o644 });
  }
  return { json: { folder }, text: `The secrets are in ${folder}.` };
}
