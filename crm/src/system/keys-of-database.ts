import { join } from 'node:path';
import { clientTo } from '@crm/data/read-write-client';
import { idOfKeys, keysFile, newKeysId, setIdOfKeys } from './secrets.ts';
import { Unable } from './unable.ts';

/** The table whose comment is the id of the keys: each release has it, and a dump contains its comment. */
const marked = 'identity.migrations';

/**
 * Throws if the database of identity was used with other keys than those in the folder: with these, links and tokens in the data
 * would stop working.
 */
export const demandKeysOfDatabase = (url: string, folder: string): Promise<void> =>
  withMark(url, async ({ id }) => demandSame(id, idOfKeys(folder), folder));

/** The same, and makes the first keys with which a database is used its own. Does nothing before its first migration. */
export const keepKeysOfDatabase = (url: string, folder: string): Promise<void> =>
  withMark(url, async ({ exists, id, mark }) => {
    const own = idOfKeys(folder);
    demandSame(id, own, folder);
    if (!exists || (id !== undefined && own !== undefined)) return;
    // Keys of an earlier release have no id, and its databases neither.
    const common = own ?? id ?? newKeysId();
    if (own === undefined) setIdOfKeys(folder, common);
    if (id === undefined) await mark(common);
  });

interface Mark {
  /** Whether there is something to be marked. */
  readonly exists: boolean;
  readonly id: string | undefined;
  mark(id: string): Promise<unknown>;
}

async function withMark(url: string, work: (mark: Mark) => Promise<void>): Promise<void> {
  const client = clientTo(url, { application_name: 'crm-keys' });
  try {
    await client.connect();
    const { rows } = await client.query<{ comment: string | null }>(
      "select obj_description(oid, 'pg_class') as comment from pg_class where oid = to_regclass($1)",
      [marked],
    );
    const mark = (id: string) => client.query(`comment on table ${marked} is ${client.escapeLiteral(id)}`);
    await work({ exists: rows.length > 0, id: rows[0]?.comment ?? undefined, mark });
  } finally {
    await client.end();
  }
}

function demandSame(wanted: string | undefined, own: string | undefined, folder: string): void {
  if (wanted === undefined || own === undefined || wanted === own) return;
  throw new Unable(
    'Configuration',
    `The keys in ${join(folder, keysFile)} do not belong to this database: with them, links and tokens in the data would stop working. Set CRM_DATA_DIR to the folder that has its keys, or restore keys.json and operator-token from a backup. If they are lost, see docs/operations/keys.md.`,
  );
}
