import {
  choice,
  flag,
  id,
  instant,
  integerFrom,
  internal,
  notFound,
  refusal,
  text,
  timeZone,
} from '@crm/contract';
import { z } from 'zod';
import { communicationTypes } from '../communications/communication-type.api.ts';

/** The types of tasks that a campaign creates for an agent. */
export const agentTaskTypes = [
  'Agent Task - Email Reminder',
  'Agent Task - Call Reminder',
  'Agent Task - Text Reminder',
  'Agent Task - No Reminder',
] as const;

/** How a campaign action specifies its time. */
export const timingTypes = [
  'Delay by Day and Time',
  'Delay by Minutes',
  'Exact Date and Time',
  'Recurring',
] as const;

const body = text(500_000);

/**
 * A template as of the enrolment of a contact. Later changes of the template have no effect. Its text is either included or
 * referenced by its digest.
 */
const PinnedTemplate = z.object({
  template_id: id,
  name: text(200).nullable(),
  folder_name: text(200).nullable(),
  subject: text(1000).nullable(),
  body: body.nullable().optional(),
  body_digest: z
    .string()
    .regex(/^[\da-f]{64}$/, { error: 'must be a SHA-256 digest in hexadecimal' })
    .nullable()
    .optional()
    .describe('SHA-256 of the text in UTF-8'),
});

/** A campaign action as of the enrolment of a contact. */
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
    .describe('HH:MM:SS, in local time'),
  dispatch_datetime: instant.nullable(),
  notes: text(2000).nullable(),
  is_stopped_on_text_reply: flag,
  template: PinnedTemplate.nullable(),
});

/** Everything that determines what a campaign does with a contact, so that a repetition gives the same result. */
export const Plan = z.object({
  campaign_id: id,
  campaign_name: text(255),
  user_id: id.describe(
    'Who put the contact into the campaign: the owner of its tasks, and the default sender',
  ),
  delegation_id: id
    .nullable()
    .optional()
    .describe(
      'The delegation under which a broker did this for that user; when it ends, nothing more is sent',
    ),
  timezone: timeZone.describe('Time zone of that user; times of day are local times in it'),
  contact_id: id,
  birthday: z.string().nullable().describe('As stored in the contact; it need not be a date'),
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
  body: z
    .string()
    .describe(
      'Of an e-mail, HTML in which the values are escaped, with a link to unsubscribe, which works only in the e-mail that is sent',
    ),
  unknown: z.array(z.string()).describe('Names that are not merge fields; they are replaced with empty text'),
  empty: z.array(z.string()).describe('Merge fields without a value; they are replaced with empty text'),
  moved_to: instant
    .nullable()
    .describe(
      'When it would be sent instead of `send_at`, because of quiet hours or the limits of the contact',
    ),
  is_refused: flag.describe('Whether it would not be sent if it were due now'),
  reason: z.string().nullable().describe('Why it would be moved or not be sent'),
});

const plannedTask = z.object({
  action_id: id,
  action_type: choice(...agentTaskTypes),
  assigned_user_id: id,
  description: z.string(),
  notes: z.string().nullable(),
  due_at: z
    .string()
    .describe('YYYY-MM-DDTHH:MM:SS, local time in `timezone`; for a recurring task, of its first occurrence')
    .meta({ examples: ['2026-03-14T09:00:00'] }),
  due_at_utc: instant,
  timezone: timeZone,
  recurrence_rule: z.string().nullable(),
});

/** What a plan would create. */
export const Preview = z.object({
  communications: z.array(plannedCommunication),
  tasks: z.array(plannedTask),
  skipped: z.array(z.object({ action_id: id, type: z.string(), reason: z.string() })),
});

const ended = z.object({
  communications: z.int().describe('How many were removed so far; none of the others is sent either'),
  tasks: z
    .int()
    .describe('How many open tasks were removed so far; each occurrence of a recurring one counts'),
});

/** Its `errors` have the digests of the texts as names. */
export const textsMissing = refusal('Conflict', 'Texts that the plan refers to are not stored.', {
  reason: 'texts_missing',
  when: 'The service of campaigns enrols a contact with a plan whose texts are not stored yet.',
  fix: 'Enrol again with the texts whose digests `errors` names. The service does so on its own.',
  example: 'POST /trpc/enrolments.enrol\n\n{ … }',
  given: 'it is sent by a service, without the texts',
});

export const enrolmentApi = {
  enrol: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['campaigns-templates'],
    summary:
      'Create the communications and tasks of a contact in a campaign, once, unless they were stopped before',
    input: z.object({ campaign_contact_id: id, plan: Plan }),
    output: z.object({
      communications: z.int(),
      tasks: z.int().describe('A recurring task counts once'),
    }),
    refuses: [textsMissing],
  }),
  storeTexts: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['campaigns-templates'],
    summary:
      'Store texts of templates, each once, for plans that refer to them; unused ones are removed later',
    input: z.object({ texts: z.array(body).max(100) }),
    output: z.object({}),
  }),
  preview: internal({
    kind: 'query',
    for: 'system',
    callers: ['campaigns-templates'],
    summary: 'Preview what enrolling with this plan would create, with the texts as they would be sent now',
    input: Plan,
    output: Preview,
    refuses: [notFound],
  }),
  stop: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['campaigns-templates'],
    summary:
      'Stop a contact in a campaign, or all contacts in it, at once and for good, and remove what is not sent or done; a worker removes what takes longer',
    input: z.union([z.object({ campaign_contact_id: id }), z.object({ campaign_id: id })]),
    output: ended,
  }),
};
