import { choice, flag, id, instant, integerFrom, internal, notFound, text, timeZone } from '@crm/contract';
import { z } from 'zod';
import { communicationTypes } from '../communications/communication-type.api.ts';

/** What an agent is reminded of by a campaign. */
export const agentTaskTypes = [
  'Agent Task - Email Reminder',
  'Agent Task - Call Reminder',
  'Agent Task - Text Reminder',
  'Agent Task - No Reminder',
] as const;

/** How an action of a campaign says when. */
export const timingTypes = [
  'Delay by Day and Time',
  'Delay by Minutes',
  'Exact Date and Time',
  'Recurring',
] as const;

/** What a template says at the moment at which it is pinned; whatever happens to it later changes nothing. */
export const PinnedTemplate = z.object({
  template_id: id,
  name: text(200).nullable(),
  folder_name: text(200).nullable(),
  subject: text(1000).nullable(),
  body: text(100_000).nullable(),
});

/** An action of a campaign as it is at the moment at which a contact is put into the campaign. */
export const PinnedAction = z.object({
  id,
  type: choice(...communicationTypes, ...agentTaskTypes),
  assigned_user_id: id.nullable(),
  timing_type: choice(...timingTypes),
  recurrence: text(255).nullable(),
  event_trigger_type: choice('1', '2'),
  delay_by_seconds: integerFrom(0).nullable(),
  delay_by_days: integerFrom(0).nullable(),
  dispatch_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, { error: 'must look like 09:30:00' })
    .nullable()
    .describe('HH:MM:SS on the wall'),
  dispatch_datetime: instant.nullable(),
  notes: text(2000).nullable(),
  is_stopped_on_text_reply: flag,
  template: PinnedTemplate.nullable(),
});

/** All that decides on what a campaign does with a contact, so that doing it again does the same. */
export const Plan = z.object({
  campaign_id: id,
  campaign_name: text(255),
  user_id: id.describe(
    'Who put the contact into the campaign: the owner of its tasks, and sender by default',
  ),
  timezone: timeZone.describe('Of that user; the wall on which times of day are read'),
  contact_id: id,
  birthday: z.string().nullable().describe('As it is written at the contact; it may be no date at all'),
  start_at: instant,
  actions: z.array(PinnedAction),
});

const plannedCommunication = z.object({
  action_id: id,
  type: choice(...communicationTypes),
  send_at: instant,
  send_from_user_id: id,
  template_name: z.string().nullable(),
  template_folder_name: z.string().nullable(),
  subject: z.string(),
  body: z.string().describe('Of an e-mail, HTML in which the values are escaped'),
  unknown: z.array(z.string()).describe('Names that are no merge fields; nothing stands in their place'),
  empty: z.array(z.string()).describe('Merge fields that have no value here'),
});

const plannedTask = z.object({
  action_id: id,
  action_type: choice(...agentTaskTypes),
  assigned_user_id: id,
  description: z.string(),
  notes: z.string().nullable(),
  due_at: z
    .string()
    .describe('YYYY-MM-DDTHH:MM:SS on the wall in `timezone`; of a series, of its first task'),
  due_at_utc: instant,
  timezone: timeZone,
  recurrence_rule: z.string().nullable(),
});

/** What a plan comes to. */
export const Preview = z.object({
  communications: z.array(plannedCommunication),
  tasks: z.array(plannedTask),
  skipped: z.array(z.object({ action_id: id, type: z.string(), reason: z.string() })),
});

const ended = z.object({
  communications: z.int().describe('How many will not be sent'),
  tasks: z.int().describe('How many were still to be done, and are gone; of a recurring one, each'),
});

export const enrolmentApi = {
  enrol: internal({
    kind: 'mutation',
    for: 'system',
    summary:
      'Make the communications and tasks of a contact in a campaign, once, unless that was stopped before',
    input: z.object({ campaign_contact_id: id, plan: Plan }),
    output: z.object({
      communications: z.int(),
      tasks: z.int().describe('A recurring one counts once'),
    }),
  }),
  preview: internal({
    kind: 'query',
    for: 'system',
    summary: 'Tell what enrolling by this plan would make, with the texts as they would be sent now',
    input: Plan,
    output: Preview,
    refuses: [notFound],
  }),
  stop: internal({
    kind: 'mutation',
    for: 'system',
    summary:
      'Remove what a contact in a campaign, or all contacts in it, has still to get or to be done; for good, also if it is enrolled later',
    input: z.union([z.object({ campaign_contact_id: id }), z.object({ campaign_id: id })]),
    output: ended,
  }),
};
