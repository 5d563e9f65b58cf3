import type { Rule } from '@crm/auth';
import type { Condition } from '@crm/contract';
import { objectOf, type Query, queryFirst, type ReadModel, readModel, throughParent } from '@crm/data';
import { type Binds, type Column, type Columns, sqlOfRule } from '@crm/query';
import { z } from 'zod';
import { visibleContacts, visibleContactsWithoutTeams } from '../contacts/contact.policy.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { EventView, PropertyOfEvent } from './event.api.ts';
import { eventsByReason, eventsOf, eventsWithoutTeams } from './event.policy.ts';

const contactsWhere = (rules: readonly unknown[], binds: Binds) =>
  `select contacts.id from contacts where ${sqlOfRule((rules[0] ?? {}) as Rule, contactRows.columns, binds)}`;

/** A rule about the contact of a contact event, checked per event: for one event, or those of one contact. */
const ofEach: Column = {
  kind: 'integer',
  sql: 'events.contact_id',
  equals: (rules, binds) => `events.contact_id in (${contactsWhere(rules, binds)})`,
};

/**
 * For the events of all contacts, the contacts are looked up first. Otherwise the planner may scan everybody's events.
 */
const ofAll: Columns = {
  contact: {
    ...ofEach,
    equals: (rules, binds) => `events.contact_id = any(array(${contactsWhere(rules, binds)}))`,
  },
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
  if (where.some(isOneContact)) return eventRowsWith(teams);
  return {
    ...eventRows,
    columns: { ...eventRows.columns, ...ofAll },
    visible: (user) =>
      teams
        ? eventsByReason(visibleContacts(user))
        : eventsWithoutTeams(user, eventsByReason(visibleContactsWithoutTeams(user))),
  };
}

function isOneContact(condition: Condition): boolean {
  if ('any' in condition) return false;
  return condition.field === 'contact_id' && condition.op === '$in' && condition.value.length === 1;
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
