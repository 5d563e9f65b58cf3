import { type Caused, CausedView, causeApi } from '@crm/contract';
import { type MessageTable, messageTypeOf, type Query, queryRows } from '@crm/data';
import { implement } from './implement.ts';

/** Nobody could read more. */
const most = 1_000;

/** What the operator can ask about messages and events of a service. The tables of messages need a column `cause`. */
export const causeHandlers = (tables: readonly MessageTable[] = []) =>
  implement(causeApi, {
    find: async ({ query }, { message, event_id, request_ids }) => {
      const asked = tables.filter((table) => message && messageTypeOf(table) === message.type);
      const parts = await Promise.all([
        ...asked.map((table) => messagesIn(query, table, 't.id = $1::int', message?.id)),
        ...(event_id === undefined ? [] : [eventIn(query, event_id)]),
        // There is no index: it would slow down each message, and the operator rarely asks.
        ...(request_ids ? tables : []).map((table) =>
          messagesIn(query, table, "t.cause ->> 'request_id' = any($1::text[])", request_ids),
        ),
      ]);
      return { data: parts.flat() };
    },
  });

function messagesIn(query: Query, table: MessageTable, where: string, value: unknown): Promise<Caused[]> {
  const { name, state, reason } = table;
  return queryRows(
    query,
    CausedView,
    `select '${messageTypeOf(table)}' as type, t.id::text as id, null as record, t.begun_at as at, t.${state} as state,
       t.${reason} as reason, t.cause ->> 'request_id' as request_id
     from ${name} t where ${where} order by t.id limit ${most}`,
    [value],
  );
}

function eventIn(query: Query, id: string): Promise<Caused[]> {
  return queryRows(
    query,
    CausedView,
    `select payload ->> 'type' as type, event_id::text as id, payload ->> 'subject' as record,
       (payload ->> 'time')::timestamptz as at, null as state, null as reason, payload ->> 'requestid' as request_id
     from outbox where event_id = $1::uuid`,
    [id],
  );
}
