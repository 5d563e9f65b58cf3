import { expect } from 'vitest';
import type { Json } from '../system/api.ts';
import type { Person } from '../system.ts';
import { planOf } from './plan.ts';

/**
 * What the generated tests must know of resources by name, because no contract contains it. A missing entry fails
 * a test of its own.
 */

/**
 * What a path parameter or a reference refers to. An entry with the name of a resource applies only to that resource.
 */
export const named: Readonly<Record<string, string>> = {
  contact_id: 'contacts',
  event_id: 'events',
  static_list_id: 'staticLists',
  bulk_operation_id: 'bulkOperations',
  hotness_id: 'hotnesses',
  source_id: 'contactSources',
  assigned_user_id: 'self',
  user_id: 'someone',
  'shares.user_id': 'colleague',
  'subAccounts.user_id': 'agent',
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

/** Targets that a client cannot create in the usual way, and how a test gets one. */
export const people: Readonly<Record<string, (person: Person) => Promise<number>>> = {
  self: async ({ id }) => id,
  someone: async ({ someoneNew }) => (await someoneNew()).id,
  agent: async (broker) => {
    const { id, allows } = await broker.someoneNew();
    await allows(broker);
    return id;
  },
  colleague: async (broker) => {
    const { id, allows } = await broker.someoneNew();
    await allows(broker);
    expect((await broker.api.post('/sub-accounts', { user_id: id })).status).toBe(201);
    return id;
  },
  leadSource: async ({ api }) => Number((await api.list('/lead-sources?$limit=1')).data[0]?.id),
  // Members of a team that orders by rank have no minutes.
  timedTeam: async ({ api }) => {
    const { status, body } = await api.post('/teams', { name: 'By time', order_method: 'Time' });
    expect(status).toBe(201);
    return Number(body.id);
  },
};

/** Targets that a second record of the same user cannot refer to. */
export const onceOnly: readonly string[] = ['someone', 'agent', 'timedTeam'];

/** References that are accepted whatever their id is. */
export const tolerated: readonly string[] = ['leads.contact_id'];

/** Texts that may also be sent as numbers. */
export const alsoNumbers: readonly string[] = ['leads.mls_id', 'leads.zipcode'];

/** Fields whose values are compared with what is stored, and are not reported before all others are valid. */
export const checkedLast: readonly string[] = ['contacts.tags'];

/** Fields whose valid values depend on other fields. They are tested with their resource. */
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

/** Resources whose changes replace the whole record. */
export const replaced: readonly string[] = ['scheduledTasks'];

/** Lists whose records are not made one by one, or change by themselves. They are tested with their resource. */
export const madeTogether: readonly string[] = ['bulkOperations', 'imports', 'offers'];

/** Names that can only be written, and the fields that show the value. */
export const aliases: Readonly<Record<string, string>> = {
  'eventProperties.sqft': 'square_feet',
  'campaignActions.template_metadata_id': 'template_id',
  'tasks.reminder_type': 'action_type',
};

/** Rules for texts that a schema cannot express. */
export const forms: Readonly<Record<string, (text: string) => boolean>> = {
  'tags.content': (text) => text === text.trim() && !text.includes(','),
};

/**
 * Fields that are unique per user, regardless of case, and whether a second record is the existing one or is rejected.
 */
export const distinct: Readonly<Record<string, 'found' | 'refused'>> = {
  'tags.content': 'found',
  'campaigns.name': 'refused',
};

/** Lists of records that are created elsewhere, and how a record gets into such a list. */
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
  // Created by a campaign. None is due during a test.
  communications: {
    of: 'campaigns',
    place: async ({ id: user_id, api, scheduling }, list, campaign_id) => {
      const contact_id = Number(list.split('/')[2]);
      const { body } = await api.get(`/campaigns/${campaign_id}`);
      const plan = planOf(campaign_id, String(body.name), user_id, contact_id);
      await scheduling.enrolments.enrol({ campaign_contact_id: campaign_id, plan });
      const made = await api.list(`${list}?campaign_contact_id=${campaign_id}`);
      for (const one of made.data.filter(() => campaign_id % 3 === 0)) {
        expect((await api.patch(`${list}/${one.id}`, { is_active: false })).status).toBe(200);
      }
    },
  },
  // The broker sees the user of a sub-account, so nothing else is needed.
  users: { of: 'subAccounts', place: async () => {} },
};

/** Values with which nobody is alerted of a record: the outcome of an alert would change it while it is compared. */
export const unalerted: Readonly<Record<string, Json>> = { scheduledTasks: { notify_assignee: false } };

/** Values that other fields depend on. */
export const fixed: Readonly<Record<string, Json>> = {
  teams: { order_method: 'Rank' },
  leadRoutes: { distribution_target: 'Myself', team_selection_method: null, team_id: null },
  // Only such an action can be stopped by a reply, and it needs a template of this type.
  campaignActions: { type: 'Text Contact', timing_type: 'Delay by Minutes' },
  templates: { template_type: 'Text' },
  ...unalerted,
};

/** Fields that other fields require although the schema does not, with a value for each number. */
export const demanded: Readonly<Record<string, (n: number) => Json>> = {
  campaignActions: (n) => ({ delay_by_seconds: n }),
  tasks: () => ({ action_type: 'None' }),
};

/** Parts of a contact that have no list; the tests of their services ask who may see and change them. */
export const partsOfContacts: readonly string[] = ['consents', 'textPauses'];

/** Resources whose changes are events of the record that they belong to, the last one in their path. */
export const partsOfAggregates: readonly string[] = ['addresses', 'shares', 'eventProperties'];

/** Comparisons that differ from plain equality, by resource and field. */
export const equalities: Readonly<Record<string, (stored: string, asked: string) => boolean>> = {
  'contacts.email': (stored, asked) => stored.toLowerCase() === asked.toLowerCase(),
  'contacts.tags': (stored, asked) =>
    stored === asked ||
    stored
      .replaceAll(/^ +| +$/g, '')
      .split(/\s*,\s*/)
      .includes(asked),
};

/** The default order of lists that are not sorted by id. */
export const orders: Readonly<Record<string, readonly (readonly [field: string, direction: 1 | -1])[]>> = {
  hotnesses: [
    ['user_id', 1],
    ['rank', 1],
  ],
};

/** Fields that also change if others change. */
export const touched: readonly string[] = ['modified_at', 'warnings'];
/** A record without them, to compare what a change left unchanged. */
export const untouched = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !touched.includes(name)));
