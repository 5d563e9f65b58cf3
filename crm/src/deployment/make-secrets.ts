import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Report } from '../command-line.ts';
import { dataFolderOf, makeDataFolder, readIfExists } from '../system/data-folder.ts';
import { ensureOperatorToken } from '../system/operator-token.ts';
import { passwordFileOf } from './deployment-config.ts';

/** Generates the database password and the operator token unless they exist. */
export async function makeSecrets(env: NodeJS.ProcessEnv): Promise<Report> {
  const folder = dataFolderOf(env);
  makeDataFolder(folder);
  ensureOperatorToken(env, folder);
  const file = passwordFileOf(folder);
  if (readIfExists(file) === undefined) {
    // Readable by others, because the database runs as another user; the permissions of the folder protect it.
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o644 });
  }
  return { json: { folder }, text: `The secrets are in ${folder}.` };
}
