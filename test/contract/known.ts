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
  // A campaign makes them. None is due in the time of a test.
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
  // Whoever is taken in is seen by the broker: there is nothing more to do.
  users: { of: 'subAccounts', place: async () => {} },
};

/** A campaign that sends one message, in another year for each and saying what it is called. */
function planOf(campaign_id: number, campaign_name: string, user_id: number, contact_id: number) {
  const types = ['Email Contact', 'Call Contact', 'Text Contact'] as const;
  const name = [...campaign_name].slice(0, 200).join('');
  const said = campaign_id % 2 === 0 ? name : null;
  return {
    campaign_id,
    campaign_name,
    user_id,
    timezone: 'America/New_York',
    contact_id,
    birthday: null,
    start_at: `${2040 + (campaign_id % 30)}-01-02T00:00:00Z`,
    actions: [
      {
        id: campaign_id,
        type: types[campaign_id % 3] ?? 'Email Contact',
        assigned_user_id: null,
        timing_type: 'Delay by Minutes' as const,
        recurrence: null,
        event_trigger_type: '1' as const,
        delay_by_seconds: campaign_id,
        delay_by_days: null,
        dispatch_time: null,
        dispatch_datetime: null,
        notes: null,
        is_stopped_on_text_reply: campaign_id % 5 === 0,
        template: { template_id: 1, name: said, folder_name: name, subject: said, body: null },
      },
    ],
  };
}

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
