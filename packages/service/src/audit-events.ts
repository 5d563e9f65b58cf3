import { system } from '@crm/auth';
import { AuditEventView, auditEventApi, auditOrder, type Find, HistoryView } from '@crm/contract';
import { findPage, type JsonText, type Query, readModel } from '@crm/data';
import type { z } from 'zod';
import type { Context } from './context.ts';
import { implement } from './implement.ts';

type AuditSearch = z.output<typeof auditEventApi.search.input>;

/** There is no viewer: the service that combines the parts decides who may see an event. */
const rowsOf = (service: string) =>
  readModel(AuditEventView, {
    table: 'audit_events',
    visible: () => ({}),
    order: auditOrder,
    special: { id: { sql: 'audit_events.id::text' }, service: { sql: `'${service}'::text` } },
    nested: { service: `'${service}'` },
  });

/** The part of the audit log that is stored in a service. */
export function findAuditPart(query: Query, service: string, search: AuditSearch): Promise<JsonText> {
  return findPage(query, rowsOf(service), system, { ...search, skip: 0, select: undefined });
}

const historyRows = readModel(HistoryView, {
  table: 'audit_events',
  visible: () => ({}),
  order: auditOrder,
  special: { id: { sql: 'audit_events.id::text' } },
  hidden: {
    record_type: { kind: 'text', sql: 'audit_events.record_type' },
    record_id: { kind: 'integer', sql: 'audit_events.record_id' },
  },
});

/** A page of what was done to a record of this service. Callers must check that the user sees the record. */
export function findHistory(
  { query }: Pick<Context, 'query'>,
  record: { readonly type: string; readonly id: number },
  find: Find,
): Promise<JsonText> {
  return findPage(query, historyRows, system, find, { record_type: record.type, record_id: record.id });
}

export const auditEventHandlers = (service: string) =>
  implement(auditEventApi, { search: ({ query }, search) => findAuditPart(query, service, search) });
