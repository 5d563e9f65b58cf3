import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { openExport } from '@crm/contacts-csv';
import { errorCode } from '@crm/contract';
import { machineClock } from '@crm/service';
import type { Controls } from '../progress-bar.ts';
import { actingFor } from '../system/acting-for.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { contactsFormat } from '../system/contacts-format.ts';
import { idOr } from '../system/id-or.ts';
import { Unable } from '../system/unable.ts';

/** Writes the contacts of a user, or of all users, as CSV to a file or to standard output. Returns their number. */
export async function exportContactsOf(
  env: NodeJS.ProcessEnv,
  { user, output }: { readonly user?: string | undefined; readonly output?: string | undefined },
  controls: Controls,
): Promise<number> {
  const users = user === undefined ? await allUsers(env) : [idOr(user)];
  const write = (target: Writable) => writeContacts(env, users, target, controls);
  try {
    return output === undefined ? await write(process.stdout) : await toFile(output, write);
  } catch (error) {
    throw isClosedPipe(error) ? new Unable('Closed', 'Standard output was closed before the end.') : error;
  } finally {
    controls.progress.end();
  }
}

async function allUsers(env: NodeJS.ProcessEnv): Promise<number[]> {
  return askIdentity(env, async ({ users }) => {
    const ids: number[] = [];
    for (;;) {
      const after = ids.at(-1) ?? 0;
      // No access token can be created for a disabled account.
      const where = { is_active: true, id: { $gt: after } };
      const { data } = await users.search({ ...where, $sort: { id: 1 }, $limit: 1000 });
      ids.push(...data.map(({ id }) => id));
      if (data.length < 1000) return ids;
    }
  });
}

async function writeContacts(
  env: NodeJS.ProcessEnv,
  users: readonly (number | string)[],
  target: Writable,
  { progress, throwIfStopped }: Controls,
): Promise<number> {
  let written = 0;
  const today = machineClock().toISOString().slice(0, 10);
  const of = users.length === 1 ? 'one user' : 'several users';
  const contacts = await openExport(of, today, contactsFormat);
  try {
    for (const [done, user] of users.entries()) {
      const before = written;
      const onProgress = (share: number, rows: number) =>
        progress.at((done + share) / users.length, before + rows);
      written += await actingFor(env, { user, scope: 'read', name: 'contacts export' }, (client) =>
        contacts.add(client, { onProgress, throwIfStopped }),
      );
    }
    await contacts.writeTo(target);
    return written;
  } finally {
    await contacts.close();
  }
}

/** Replaces the file when the export is complete. Only its owner may read it, because it contains personal data. */
async function toFile(file: string, write: (target: Writable) => Promise<number>): Promise<number> {
  const draft = `${file}.${process.pid}`;
  try {
    const target = createWriteStream(draft, { mode: 0o600 });
    const rows = await write(target);
    await finished(target.end());
    await rename(draft, file);
    return rows;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

const isClosedPipe = (error: unknown): boolean => errorCode(error) === 'EPIPE';
