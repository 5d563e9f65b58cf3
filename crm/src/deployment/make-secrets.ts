import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brokerUsers } from '@crm/messaging';
import type { Report } from '../command-line.ts';
import { brokerUsersOf } from '../system/broker-urls.ts';
import { dataFolderOf, makeDataFolder, readIfExists } from '../system/data-folder.ts';
import { ensureSecrets } from '../system/secrets.ts';
import { passwordFileOf } from './deployment-config.ts';

/** The servers run as other users; the permissions of the folder protect the files that they read. */
const forOthers = { mode: 0o644 };

/** Generates the passwords of the servers and all other secrets unless they exist. */
export async function makeSecrets(env: NodeJS.ProcessEnv): Promise<Report> {
  const folder = dataFolderOf(env);
  makeDataFolder(folder);
  const secrets = ensureSecrets(env, folder);
  const file = passwordFileOf(folder);
  mkdirSync(dirname(file), { recursive: true });
  if (readIfExists(file) === undefined) {
    // The database keeps the password that an earlier release stored next to all other secrets.
    const earlier = readIfExists(join(folder, 'postgres-password'));
    writeFileSync(file, earlier ?? `${randomBytes(32).toString('base64url')}\n`, forOthers);
  }
  const usersFile = join(folder, 'nats', 'users.conf');
  mkdirSync(dirname(usersFile), { recursive: true });
  writeFileSync(usersFile, brokerUsers(brokerUsersOf(secrets)), forOthers);
  // The only secret with which another server can join a NATS cluster.
  const routeFile = join(folder, 'nats', 'route-password');
  if (readIfExists(routeFile) === undefined)
    writeFileSync(routeFile, `${randomBytes(32).toString('base64url')}\n`, forOthers);
  return { json: { folder }, text: `The secrets are in ${folder}.` };
}
