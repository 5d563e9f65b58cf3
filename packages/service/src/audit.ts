import { isUser, readAddress, type User } from '@crm/auth';
import { scopeOf, type WebAnswer, type WebRequest } from '@crm/contract';
import {
  type AuditedAction,
  type AuditedRecord,
  auditRowOf,
  auditTransaction,
  insertAuditRows,
  noUser,
} from '@crm/messaging';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type AdmittedCall, type CallRuntime, inTurn, nobody } from './call-context.ts';

/** Records a mutation in its transaction, with its response in case it publishes no event. */
export function auditMutation(em: EntityManager, call: AdmittedCall, response: () => Promise<string>): void {
  auditTransaction(em, { ...factsOf(call), record: async () => changedBy(call, await response()) });
}

/**
 * Records that somebody read data of others: a broker who acts for a user, or the operator; or that a user read what allows
 * writing, such as tokens. The response is sent once this is stored.
 */
export async function auditRead(runtime: CallRuntime, call: AdmittedCall): Promise<void> {
  const { actor, procedure, input, waitsUntil } = call;
  const isOfOthers = isUser(actor) ? actor.act !== null : actor.caller === 'operator';
  if (!isOfOthers && scopeOf(procedure.operation) === 'read') return;
  const { id, user_id } = idsIn(input);
  const type = id === null ? null : recordTypeOf(procedure.name);
  const row = auditRowOf({ type, id, userId: user_id }, factsOf(call));
  await inTurn(runtime.turns.changes, { actor, deadline: undefined, signal: undefined, waitsUntil }, () =>
    runtime.database.query(insertAuditRows, [JSON.stringify([row])]),
  );
}

function factsOf({ actor, procedure, input, requestId }: AdmittedCall): AuditedAction {
  const { name: action, operation } = procedure;
  if (actor === nobody) {
    const address = operation.web ? readAddress((input as WebRequest).address) : null;
    return { ...noUser, action, requestId, actorType: 'visitor', address };
  }
  if (isUser(actor)) return { action, requestId, ...auditFieldsOf(actor) };
  const actorType = actor.caller === 'operator' ? 'operator' : 'system';
  return { ...noUser, action, requestId, actorType };
}

/** The fields of the audit log for a user who does something. */
export const auditFieldsOf = ({ id, act, access }: User): Omit<AuditedAction, 'action' | 'requestId'> => ({
  actorType: undefined,
  userId: id,
  actUserId: act?.id ?? null,
  clientId: access?.client_id ?? null,
  tokenId: access?.token_id ?? null,
  address: access?.address ?? null,
});

/** The record that a mutation changed without an event, found by its input or response; undefined if it changed nothing. */
function changedBy({ procedure, input }: AdmittedCall, text: string): AuditedRecord | undefined {
  const { name, operation } = procedure;
  const answer = JSON.parse(text) as unknown;
  if (operation.web) {
    // If there is no response yet, the rest of the operation decides after the commit, and this part has changed nothing.
    const status = (answer as WebAnswer | null)?.status ?? 404;
    const isShown = operation.rest?.startsWith('GET ') || status >= 400;
    return isShown ? undefined : { type: null, id: null, userId: null };
  }
  const [asked, answered] = [idsIn(input), idsIn(answer)];
  const id = asked.id ?? answered.id;
  const userId = asked.user_id ?? answered.user_id;
  return id === null ? { ...referredIn(input), userId } : { type: recordTypeOf(name), id, userId };
}

function idsIn(value: unknown): { readonly id: number | null; readonly user_id: number | null } {
  const { id, user_id } = (value ?? {}) as { readonly id?: unknown; readonly user_id?: unknown };
  return {
    id: typeof id === 'number' ? id : null,
    user_id: typeof user_id === 'number' ? user_id : null,
  };
}

/** The record that an input refers to without being about one of its own: a contact for `contact_id`. */
function referredIn(input: unknown): Pick<AuditedRecord, 'type' | 'id'> {
  const fields = Object.entries((input ?? {}) as Readonly<Record<string, unknown>>);
  const [name, id] = fields.find(([one]) => one.endsWith('_id') && one !== 'user_id') ?? [];
  return typeof id === 'number' ? { type: name?.slice(0, -3).replaceAll('_', '-') ?? null, id } : noRecord;
}

const noRecord = { type: null, id: null };

/** `templateFolders.find` is about a `template-folder`, as in the names of events. */
function recordTypeOf(procedure: string): string {
  const [noun = ''] = procedure.split('.');
  const words = noun.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (words.endsWith('ies')) return `${words.slice(0, -3)}y`;
  return words.replace(/(ss)es$|s$/, '$1');
}
