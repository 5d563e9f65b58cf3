import { randomUUIDv7 } from 'node:crypto';
import type { CloudEvent } from '@crm/events';
import { userIn } from './user-in.ts';

/** A record by its type and id, and the user whom it concerns. */
export interface AuditedRecord {
  readonly type: string | null;
  readonly id: number | null;
  readonly userId: number | null;
}

/** Who does something, in which request. It names nobody and contains no values. */
export interface AuditedAction {
  /** The procedure. */
  readonly action: string;
  readonly requestId: string;
  /** Who does it, if not a user. */
  readonly actorType: 'operator' | 'system' | 'visitor' | undefined;
  readonly userId: number | null;
  readonly actUserId: number | null;
  readonly clientId: string | null;
  readonly tokenId: number | null;
  readonly address: string | null;
}

type Changed = AuditedRecord | undefined;

/** What a request does, for the rows of its transaction in the audit log. */
export interface AuditedRequest extends AuditedAction {
  /** What was changed, if no event says so; undefined if nothing was. Called after the change. */
  readonly record: () => Changed | Promise<Changed>;
}

const columns = `
  id uuid, actor_type text, user_id integer, act_user_id integer, client_id text, token_id integer, address text,
  request_id text, action text, record_type text, record_id integer`;
const names = columns.replaceAll(/ \w+(,|$)/g, '$1');

/** Adds rows to the audit log, given as JSON. */
export const insertAuditRows = `
  insert into audit_events (${names}) select ${names} from jsonb_to_recordset($1::jsonb) as row (${columns})`;

/** One row for each record that the events are about, however many are about it. */
export function auditRowsOf(events: readonly CloudEvent[], request: AuditedRequest | undefined) {
  const rows = new Map<string, ReturnType<typeof rowOf>>();
  for (const event of events) {
    const action = request?.action ?? event.type.replace(/^crm\./, '');
    const key = `${action} ${event.subject}`;
    if (!rows.has(key)) rows.set(key, rowOf(recordIn(event), request ?? backgroundOf(event, action)));
  }
  return [...rows.values()];
}

/** The row of a request about a record for which there is no event. */
export function rowOf({ type, id, userId }: AuditedRecord, done: AuditedAction) {
  const { actorType, actUserId, clientId, tokenId, address, requestId, action } = done;
  const user = done.userId ?? userId;
  return {
    id: randomUUIDv7(),
    actor_type: actorType ?? (actUserId === null ? 'user' : 'broker'),
    user_id: user,
    act_user_id: actUserId,
    client_id: clientId,
    token_id: tokenId,
    address,
    request_id: requestId,
    action,
    record_type: type,
    record_id: id,
  };
}

/** Work of the service itself is named by the event, and belongs to the user whom the event concerns. */
const backgroundOf = ({ requestid }: CloudEvent, action: string): AuditedAction => ({
  ...noUser,
  action,
  requestId: requestid,
  actorType: 'system',
});

/** The fields of an action that is not done by a user. */
export const noUser = { userId: null, actUserId: null, clientId: null, tokenId: null, address: null };

function recordIn({ subject, actor, data }: CloudEvent): AuditedRecord {
  const [type = '', id = ''] = subject.split('/');
  return { type, id: /^\d{1,9}$/.test(id) ? Number(id) : null, userId: userIn(actor) ?? concernedBy(data) };
}

/** The fields in which events name the user whom they concern, the most specific one first. */
const concerned = ['user_id', 'owner_user_id', 'creator_user_id', 'crm_user_id'] as const;

function concernedBy(data: unknown): number | null {
  const values = data as Readonly<Record<string, unknown>>;
  const found = concerned.map((name) => values[name]).find((value) => typeof value === 'number');
  return typeof found === 'number' ? found : null;
}
