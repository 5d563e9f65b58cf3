import { expect } from 'vitest';
import type { Json } from '../system/api.ts';
import type { Person } from '../system.ts';

/**
 * What no contract says and the generated tests must know: it is all they know of any resource by name. A
 * resource that needs an entry and has none fails a test of its own.
 */

/**
 * Whose record a path parameter, or a field that holds the id of another record, names; after the name of a
 * resource, in that one alone.
 */
export const named: Readonly<Record<string, string>> = {
  contact_id: 'contacts',
  event_id: 'events',
  static_list_id: 'staticLists',
  hotness_id: 'hotnesses',
  source_id: 'contactSources',
  assigned_user_id: 'self',
  user_id: 'someone',
  'shares.user_id': 'colleague',
  lead_id: 'leads',
  campaign_id: 'campaigns',
  category_id: 'taskCategories',
  lead_source_id: 'leadSource',
  contact_source_id: 'contactSources',
  'leads.source_id': 'leadSource',
  'leadRoutes.team_id': 'teams',
  'distributionOptions.team_id': 'timedTeam',
  'distributionOptions.user_id': 'self',
  template_folder_id: 'templateFolders',
  template_id: 'templates',
  template_metadata_id: 'templates',
};

/** Those among them that a client does not make, or not in this way: what a person can name there. */
export const people: Readonly<Record<string, (person: Person) => Promise<number>>> = {
  self: async ({ id }) => id,
  someone: async ({ someoneNew }) => (await someoneNew()).id,
  colleague: async ({ api, someoneNew }) => {
    const { id } = await someoneNew();
    expect((await api.post('/sub-accounts', { user_id: id })).status).toBe(201);
    return id;
  },
  leadSource: async ({ api }) => Number((await api.list('/lead-sources?$limit=1')).data[0]?.id),
  // With the other order its members have no minutes.
  timedTeam: async ({ api }) => {
    const { status, body } = await api.post('/teams', { name: 'By time', order_method: 'Time' });
    expect(status).toBe(201);
    return Number(body.id);
  },
};

/** Those whom a second record of the same person cannot name. */
export const onceOnly: readonly string[] = ['someone', 'timedTeam'];

/** References that are taken whatever they name. */
export const tolerated: readonly string[] = ['leads.contact_id'];

/** Texts that are taken as numbers too. */
export const alsoNumbers: readonly string[] = ['leads.mls_id', 'leads.zipcode', 'leads.listing_price'];

/** Fields whose values are right only beside certain others: what becomes of them is tested with their resource. */
export const dependent: readonly string[] = [
  'leadRoutes.distribution_target',
  'leadRoutes.team_selection_method',
  'leadRoutes.team_id',
  'campaignActions.type',
  'campaignActions.timing_type',
  'campaignActions.recurrence',
  'campaignActions.delay_by_seconds',
  'campaignActions.delay_by_days',
  'campaignActions.dispatch_time',
  'campaignActions.dispatch_datetime',
  'campaignActions.notes',
  'tasks.due_at',
  'tasks.timezone',
  'scheduledTasks.due_at',
  'scheduledTasks.timezone',
  'scheduledTasks.recurrence_rule',
];

/** Records of which a change sends every value, and what is left out gets its default. */
export const replaced: readonly string[] = ['scheduledTasks'];

/** Lists that nobody adds one record to: a lead's offers are made all at once, one for each member of a team. */
export const madeTogether: readonly string[] = ['offers'];

/** Names that only writing knows, and the field that shows what was written. */
export const aliases: Readonly<Record<string, string>> = {
  'eventProperties.sqft': 'square_feet',
  'campaignActions.template_metadata_id': 'template_id',
  'tasks.reminder_type': 'action_type',
};

/** What a text must be like beyond what its schema can say. */
export const forms: Readonly<Record<string, (text: string) => boolean>> = {
  'tags.content': (text) => text === text.trim() && !text.includes(','),
};

/**
 * Fields in which no two records of a user are alike, whatever their case: who makes one again gets the one that
 * is there, or is refused.
 */
export const distinct: Readonly<Record<string, 'found' | 'refused'>> = {
  'tags.content': 'found',
  'campaigns.name': 'refused',
};

/** Lists of records that are made elsewhere, and how one of them gets there. */
export const placed: Readonly<
  Record<
    string,
    { readonly of: string; readonly place: (person: Person, list: string, id: number) => Promise<void> }
  >
> = {
  staticListContacts: {
    of: 'contacts',
    place: async ({ api }, list, id) => {
      expect((await api.post(list, { contacts_list: [id] })).status).toBe(201);
    },
  },
  // Whoever is taken in is seen by the broker: there is nothing more to do.
  users: { of: 'subAccounts', place: async () => {} },
};

/** Values on which the meaning of other fields depends: with another order a team has no minutes. */
export const fixed: Readonly<Record<string, Json>> = {
  teams: { order_method: 'Rank' },
  leadRoutes: { distribution_target: 'Myself', team_selection_method: null, team_id: null },
  // Only then may an action be stopped by a reply, and only such templates fit it.
  campaignActions: { type: 'Text Contact', timing_type: 'Delay by Minutes' },
  templates: { template_type: 'Text' },
};

/** Fields that other fields demand, though no schema does, with a value for each number. */
export const demanded: Readonly<Record<string, (n: number) => Json>> = {
  campaignActions: (n) => ({ delay_by_seconds: n }),
  tasks: () => ({ action_type: 'None' }),
};

/** Equality that is not the plain one, by resource and field. */
export const equalities: Readonly<Record<string, (stored: string, asked: string) => boolean>> = {
  'contacts.email': (stored, asked) => stored.toLowerCase() === asked.toLowerCase(),
  'contacts.tags': (stored, asked) =>
    stored === asked ||
    stored
      .replaceAll(/^ +| +$/g, '')
      .split(/\s*,\s*/)
      .includes(asked),
};

/** The order of a list whose caller asks for none, where it is not by id. */
export const orders: Readonly<Record<string, readonly (readonly [field: string, direction: 1 | -1])[]>> = {
  hotnesses: [
    ['user_id', 1],
    ['rank', 1],
  ],
};

/** Fields that a change of others changes too. */
export const touched: readonly string[] = ['modified_at', 'warnings'];

/** A record without them, for comparing what a change left alone. */
export const untouched = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !touched.includes(name)));
