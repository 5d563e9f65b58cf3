import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { Advance } from '../advance.ts';
import { persistently } from '../contacts-import/persistently.ts';
import { csvWriter } from '../csv/write-csv.ts';
import { type Acting, actingFor } from '../system/acting-for.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { idOr } from '../system/id-or.ts';
import { ownContacts } from '../system/own-contacts.ts';
import { Unable } from '../system/unable.ts';
import { cellsOf, exportedFields, exportHeaders } from './contact-cells.ts';

interface Way {
  readonly advance: Advance;
  mayContinue(): void;
}

/** Writes the contacts of a user, or of all of them, as CSV to a file or to standard output. Answers how many. */
export async function exportContacts(
  env: NodeJS.ProcessEnv,
  { user, output }: { readonly user?: string | undefined; readonly output?: string | undefined },
  way: Way,
): Promise<number> {
  const users = user === undefined ? await allUsers(env) : [idOr(user)];
  const write = (target: Writable) => writeContacts(env, users, target, way);
  try {
    return output === undefined ? await write(process.stdout) : await toFile(output, write);
  } catch (error) {
    throw isClosedPipe(error) ? new Unable('Closed', 'Standard output was closed before the end.') : error;
  } finally {
    way.advance.end();
  }
}

async function allUsers(env: NodeJS.ProcessEnv): Promise<number[]> {
  return askIdentity(env, async ({ users }) => {
    const ids: number[] = [];
    for (;;) {
      const after = ids.at(-1) ?? 0;
      // Nobody can act for a disabled account.
      const wanted = { is_active: true, id: { $gt: after } };
      const { data } = await users.search({ ...wanted, $sort: { id: 1 }, $limit: 1000 });
      ids.push(...data.map(({ id }) => id));
      if (data.length < 1000) return ids;
    }
  });
}

async function writeContacts(
  env: NodeJS.ProcessEnv,
  users: readonly (number | string)[],
  target: Writable,
  { advance, mayContinue }: Way,
): Promise<number> {
  let rows = 0;
  async function* cells(acting: Acting, done: number): AsyncGenerator<readonly string[]> {
    if (done === 0) yield exportHeaders;
    const before = rows;
    let total: number | undefined;
    for await (const page of ownContacts(acting, { $select: exportedFields }, persistently)) {
      mayContinue();
      total ??= page.total;
      for (const contact of page.data) yield cellsOf(contact);
      rows += page.data.length;
      advance.at((done + (rows - before) / Math.max(total, 1)) / users.length, rows);
    }
  }
  for (const [done, user] of users.entries()) {
    const errand = { user, scope: 'read', name: 'contacts export' } as const;
    await actingFor(env, errand, (acting) =>
      pipeline(Readable.from(cells(acting, done)), csvWriter(), target, { end: false }),
    );
  }
  return rows;
}

/** Whoever looks sees the old file or the whole new one. Only its owner may read it: it is about people. */
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

const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE';
