import type { Rule, User } from '@crm/auth';
import type { Condition } from '@crm/contract';
import { objectOf, type Query, type ReadModel, readModel } from '@crm/data';
import { type Binds, type Column, type Columns, sqlOfRule } from '@crm/query';
import { ownContacts, visibleContacts } from '../contacts/contact.policy.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { EventView, PropertyOfEvent } from './event.api.ts';
import { eventsOf } from './event.policy.ts';

const contactsWhere = (rules: readonly unknown[], binds: Binds) =>
  `select contacts.id from contacts where ${sqlOfRule((rules[0] ?? {}) as Rule, contactRows.columns, binds)}`;

/** A rule about the contact of an event, asked for each event. For few events: one, or those of one contact. */
const ofEach: Column = {
  kind: 'integer',
  sql: 'events.contact_id',
  equals: (rules, binds) => `events.contact_id in (${contactsWhere(rules, binds)})`,
};

/**
 * The same for the events of all contacts, which are looked up first and lead to the events. Otherwise the
 * planner may walk the events of everybody in the order of the page until it is full, and for those who see
 * few events that is the end of the table. The sum keeps it from taking the order from an index all the same.
 */
const ofAll: Columns = {
  contact: {
    ...ofEach,
    equals: (rules, binds) => `events.contact_id = any(array(${contactsWhere(rules, binds)}))`,
  },
  id: { kind: 'integer', sql: '(events.id + 0)' },
};

const propertyRows = readModel(PropertyOfEvent, {
  table: 'event_properties',
  visible: () => ({}),
  nested: { sqft: 'event_properties.square_feet' },
});

/** Events of all contacts that someone sees. */
export const eventRows = readModel(EventView, {
  table: 'events',
  visible: (user) => eventsOf(visibleContacts(user)),
  hidden: { contact: ofEach },
  nested: {
    property: objectOf(
      propertyRows,
      'event_properties.id = (select max(p.id) from event_properties p where p.api_event_id = events.id)',
      Object.keys(PropertyOfEvent.shape),
    ),
  },
});

const ownEventRows: ReadModel = { ...eventRows, visible: (user: User) => eventsOf(ownContacts(user)) };

/** Events as someone reads them one by one, with or without those of other people's contacts. */
export function eventRowsWith(teams: boolean | undefined): ReadModel {
  return teams ? eventRows : ownEventRows;
}

/** The same events for a list. */
export function eventListWith(teams: boolean | undefined, where: readonly Condition[]): ReadModel {
  const rows = eventRowsWith(teams);
  return where.some(isOneContact) ? rows : { ...rows, columns: { ...rows.columns, ...ofAll } };
}

function isOneContact(condition: Condition): boolean {
  if ('any' in condition) return false;
  return condition.field === 'contact_id' && condition.op === '$in' && condition.value.length === 1;
}

/** Whose event it is, whoever asks: the contact decides who may see it. */
export async function contactOfEvent(query: Query, id: number): Promise<number | undefined> {
  const [row] = await query('select contact_id from events where id = $1::int', [id]);
  return row && Number(row.contact_id);
}

/** Gives an event the new version that a change of its properties makes. Answers the version. */
export async function touchEvent(query: Query, id: number, at: Date): Promise<number> {
  const [row] = await query(
    'update events set version = version + 1, modified_at = $2::timestamptz where id = $1::int returning version',
    [id, at],
  );
  return Number(row?.version);
}
