import type { Rule } from '@crm/auth';
import type { Condition, Scalar } from '@crm/contract';
import { objectOf, type Query, queryFirst, type ReadModel, readModel, throughParent } from '@crm/data';
import { type Binds, type Column, sqlOfRule } from '@crm/query';
import { z } from 'zod';
import { visibleContacts, visibleContactsWithoutTeams } from '../contacts/contact.policy.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { EventView, PropertyOfEvent } from './event.api.ts';
import { eventsByReason, eventsOf, eventsWithoutTeams } from './event.policy.ts';

const meets = (rules: readonly Scalar[], binds: Binds) =>
  sqlOfRule((rules[0] ?? {}) as Rule, contactRows.columns, binds);

const contactId: Pick<Column, 'kind' | 'sql'> = { kind: 'integer', sql: 'events.contact_id' };

/**
 * A rule about the contact of a contact event, checked for that contact alone. If there are other reasons to see an event,
 * PostgreSQL would first read all contacts that meet the rule; `offset 0` prevents that.
 */
const ofEach: Column = {
  ...contactId,
  equals: (rules, binds) =>
    `exists (select from contacts where contacts.id = events.contact_id and ${meets(rules, binds)} offset 0)`,
};

/** For the events of one contact, which is looked up once, however many events it has. */
const ofOne = (contact: Scalar): Column => ({
  ...contactId,
  equals: (rules, binds) => {
    const id = `${binds.add(contact)}::bigint`;
    const isSeen = `exists (select from contacts where contacts.id = ${id} and ${meets(rules, binds)})`;
    return `(events.contact_id = ${id} and ${isSeen})`;
  },
});

/**
 * For the events of all contacts, the contacts are looked up first. Otherwise the planner may scan everybody's events.
 */
const ofAll: Column = {
  ...contactId,
  equals: (rules, binds) =>
    `events.contact_id = any(array(select contacts.id from contacts where ${meets(rules, binds)}))`,
};

const propertyRows = readModel(PropertyOfEvent, {
  table: 'event_properties',
  visible: throughParent,
  nested: { sqft: 'event_properties.square_feet' },
});

/** The events of all contacts that the actor sees. */
export const eventRows = readModel(EventView, {
  table: 'events',
  visible: (user) => eventsOf(visibleContacts(user)),
  hidden: {
    contact: ofEach,
    owner_user_id: { kind: 'integer', sql: 'events.owner_user_id' },
    is_of_another: { kind: 'boolean', sql: '(events.user_id <> events.owner_user_id)' },
  },
  nested: {
    property: objectOf(
      propertyRows,
      'event_properties.id = (select max(p.id) from event_properties p where p.api_event_id = events.id)',
      Object.keys(PropertyOfEvent.shape),
    ),
  },
});

const eventRowsWithoutTeams: ReadModel = {
  ...eventRows,
  visible: (user) => eventsWithoutTeams(user, eventsOf(visibleContactsWithoutTeams(user))),
};

/** For reading one contact event; with `teams` also those of contacts that only a team shares. */
export function eventRowsWith(teams: boolean | undefined): ReadModel {
  return teams ? eventRows : eventRowsWithoutTeams;
}

/** For a list of contact events; with `teams` also those of contacts that only a team shares. */
export function eventListWith(teams: boolean | undefined, where: readonly Condition[]): ReadModel {
  const contact = where.map(onlyContactIn).find((id) => id !== undefined);
  if (contact !== undefined) return withContact(ofOne(contact), eventRowsWith(teams));
  return {
    ...withContact(ofAll, eventRows),
    visible: (user) =>
      teams
        ? eventsByReason(visibleContacts(user))
        : eventsWithoutTeams(user, eventsByReason(visibleContactsWithoutTeams(user))),
  };
}

const withContact = (contact: Column, rows: ReadModel): ReadModel => ({
  ...rows,
  columns: { ...rows.columns, contact },
});

/** The contact whose events a condition asks for, if it is a single one. */
function onlyContactIn(condition: Condition): Scalar | undefined {
  if ('any' in condition || condition.field !== 'contact_id' || condition.op !== '$in') return undefined;
  return condition.value.length === 1 ? condition.value[0] : undefined;
}

const EventContact = z.object({ contact_id: z.int() });

/** The contact of a contact event, without a check of visibility, which depends on the contact. */
export async function contactOfEvent(query: Query, id: number): Promise<number | undefined> {
  const text = 'select contact_id from events where id = $1::int';
  const row = await queryFirst(query, EventContact, text, [id]);
  return row?.contact_id;
}

const Version = z.object({ version: z.int() });

/** Increments the version of a contact event because one of its properties was changed. Returns the version. */
export async function touchEvent(query: Query, id: number, at: Date): Promise<number> {
  const row = await queryFirst(
    query,
    Version,
    'update events set version = version + 1, modified_at = $2::timestamptz where id = $1::int returning version',
    [id, at],
  );
  if (!row) throw new Error(`The contact event ${id} does not exist.`);
  return row.version;
}
