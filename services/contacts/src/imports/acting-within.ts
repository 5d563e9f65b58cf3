import type { User } from '@crm/auth';
import { type CallService, clientOver } from '@crm/client';
import { type ActingClient, type Person, Unrepeatable } from '@crm/contacts-csv';
import { Refused } from '@crm/contract';
import { queryIn } from '@crm/data';
import { type Context, entryWithin, type Procedure, type WorkerContext } from '@crm/service';
import { contactsApi } from '../api.ts';
import { namedAmong, rehearsedMatches } from './rehearsal.queries.ts';

/** The procedures of this service, which a worker cannot import. */
export type Procedures = ReadonlyMap<string, Procedure>;

interface UserWork {
  readonly procedures: Procedures;
  readonly actor: User;
  readonly requestId: string;
  /** Whom rows can name. */
  readonly people: readonly Person[];
  /** An import whose rows depend on what earlier ones did to the contacts that they match. */
  readonly notes: { readonly importId: number; readonly isTrial: boolean } | undefined;
}

/** Each row was read by the schema of a contact, as its errors had to be known. */
const alreadyRead = 'importedRows.add';

/** A client that does, in a transaction of a worker, what requests of the user would do. */
export function actingWithin(
  context: WorkerContext,
  { procedures, actor, requestId, people, notes }: UserWork,
  em: Context['em'],
): ActingClient {
  const within = entryWithin(context, { actor, requestId, alreadyRead }, em, procedures);
  const call: CallService = async (one) => {
    try {
      return await within(one);
    } catch (error) {
      if (error instanceof Refused && error.name !== 'Unavailable') throw error;
      throw new Unrepeatable('The transaction has failed.', { cause: error });
    }
  };
  const client = clientOver(contactsApi, call, undefined);
  const matches: ActingClient['contacts']['importedRows']['matches'] = async (input) => {
    const stored = await client.importedRows.matches(input);
    if (!notes) return stored;
    const ids = stored.map(({ id }) => id);
    if (!notes.isTrial) {
      const named = await namedAmong(queryIn(em), notes.importId, ids);
      return stored.map((contact) => ({ ...contact, is_named: named.has(contact.id) }));
    }
    const rehearsed = await rehearsedMatches(queryIn(em), notes.importId, { ...input, ids });
    const changed = new Set(rehearsed.map(({ id }) => id));
    return [...rehearsed, ...stored.filter(({ id }) => !changed.has(id))];
  };
  return {
    userId: actor.id,
    contacts: { ...client, importedRows: { ...client.importedRows, matches } },
    colleagues: async () => people,
    people: async () => [],
  };
}
