import {
  choice,
  emptyAsNull,
  find,
  flag,
  forbidden,
  id,
  ignoring,
  instant,
  integerFrom,
  loadOf,
  notFound,
  operation,
  pageOf,
  record,
  reference,
  refusal,
  text,
} from '@crm/contract';
import { agentTaskTypes, communicationTypes, timingTypes } from '@crm/scheduling/api';
import { z } from 'zod';
import { templateDescription, templateSubject } from '../templates/template.api.ts';
import { unusedFields } from './unused-fields.api.ts';

const trigger = z
  .preprocess((value) => (typeof value === 'number' ? String(value) : value), choice('1', '2'))
  .describe('1: when the campaign starts; 2: on the birthday of the contact');

const timeOfDay = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
  .regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, { error: 'must look like 09:30:00' });

export const CampaignActionView = z.object({
  id,
  type: choice(...communicationTypes, ...agentTaskTypes),
  assigned_user_id: reference.describe('The user who sends the communication or does the task'),
  template_id: reference.describe(
    'A template of the owner of the campaign, of the matching type; not for tasks',
  ),
  template_metadata_id: reference.describe('An alias of template_id, which takes precedence'),
  timing_type: choice(...timingTypes).describe(
    'Recurring is only for tasks; fields that the timing does not use are null',
  ),
  recurrence: text(255).nullable().describe('A recurrence rule of RFC 5545; with Recurring'),
  event_trigger_type: trigger,
  delay_by_seconds: emptyAsNull(integerFrom(0)).describe('With Delay by Minutes'),
  delay_by_days: emptyAsNull(integerFrom(0)).describe('With Delay by Day and Time, and with Recurring'),
  dispatch_time: emptyAsNull(timeOfDay).describe('With Delay by Day and Time, and with Recurring'),
  dispatch_datetime: emptyAsNull(instant).describe(
    'With Exact Date and Time; in the years 1970 to 2100, in UTC',
  ),
  notes: text(2000).nullable().describe('For the agent; null unless the action is a task'),
  is_stopped_on_text_reply: flag.describe(
    'Whether a reply of the contact keeps it from being sent; false unless the type is Text Contact',
  ),
  template: z
    .object({ template_id: id, description: templateDescription, subject: templateSubject })
    .nullable(),
});

export type CampaignActionRecord = z.output<typeof CampaignActionView>;

const line = z.string().nullable();

/** An action read with `$load=assigned_user`. */
const LoadedCampaignActionView = CampaignActionView.extend({
  assigned_user: z.object({ id, first_name: line, last_name: line, email: z.string() }).nullable(),
});
const eitherView = z.union([CampaignActionView, LoadedCampaignActionView]);

const relations = ['assigned_user', 'template'] as const;
const $load = loadOf(...relations).describe(
  'Related records to include: assigned_user; the template is always included',
);

const required = { type: true, timing_type: true } as const;
const draft = CampaignActionView.omit({ id: true, template: true });

const campaign_id = id;

const nextMorning = { delay_by_days: 1, dispatch_time: '09:00:00' };

/** Adding one contact creates something for each action, in one transaction. */
export const maxActions = 50;

export const tooManyActions = refusal(
  'Conflict',
  `A campaign can have at most ${maxActions} actions. Remove one, or add this one to another campaign.`,
  {
    reason: 'too_many_actions',
    when: 'An action is added to a campaign that is full.',
    fix: 'Remove an action, or continue in a second campaign.',
    example: 'POST /campaigns/4001/actions\n\n{ "type": "Text Contact", … }',
    given: 'the campaign is full',
  },
);

export const campaignActionApi = {
  find: operation({
    rest: 'GET /campaigns/:campaign_id/actions',
    summary: 'List the actions of a campaign',
    input: find(CampaignActionView, { own: { campaign_id }, load: relations }),
    output: pageOf(eitherView),
    refuses: [notFound],
  }),
  get: operation({
    rest: 'GET /campaigns/:campaign_id/actions/:id',
    summary: 'Read an action of a campaign',
    input: record(CampaignActionView, { campaign_id, id, $load }),
    output: eitherView,
    query: ['$load'],
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /campaigns/:campaign_id/actions',
    summary: `Add an action to a campaign, at most ${maxActions} per campaign (owner of the campaign only)`,
    example: {
      type: 'Email Contact',
      timing_type: 'Delay by Day and Time',
      ...nextMorning,
      template_id: 4201,
    },
    input: ignoring(draft.partial().extend({ ...draft.pick(required).shape, campaign_id }), unusedFields),
    output: CampaignActionView,
    refuses: [notFound, forbidden, tooManyActions],
  }),
  patch: operation({
    rest: 'PATCH /campaigns/:campaign_id/actions/:id',
    summary: 'Change an action of a campaign (owner of the campaign only)',
    example: nextMorning,
    input: ignoring(record(CampaignActionView, { campaign_id, id, ...draft.partial().shape }), unusedFields),
    output: CampaignActionView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /campaigns/:campaign_id/actions/:id',
    summary: 'Remove an action from a campaign (owner of the campaign only)',
    input: record(CampaignActionView, { campaign_id, id }),
    output: CampaignActionView,
    refuses: [notFound, forbidden],
  }),
};
