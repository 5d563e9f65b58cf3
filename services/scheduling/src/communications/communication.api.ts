import {
  choice,
  find,
  flag,
  id,
  instant,
  loadOf,
  notFilterable,
  notFound,
  operation,
  pageOf,
  record,
  refusal,
} from '@crm/contract';
import { z } from 'zod';
import { communicationTypes } from './communication-type.api.ts';

/** The states of a communication. Only a Scheduled one will be sent. */
export const dispatchStates = ['Scheduled', 'Sending', 'Unknown', 'Sent', 'Failed', 'Dropped'] as const;

/** The delivery states that the provider reports. */
export const deliveryStates = ['Queued', 'Sent', 'Delivered', 'Undelivered', 'Failed'] as const;

export const CommunicationView = z.object({
  id,
  contact_id: id.meta({ description: 'The contact in the path', [notFilterable]: true }),
  campaign_contact_id: id,
  campaign_name: z.string(),
  type: choice(...communicationTypes),
  is_stopped_on_text_reply: flag.describe(
    'Whether it is no longer sent once the contact has replied to a text',
  ),
  template_subject: z.string().nullable(),
  template_name: z.string().nullable(),
  template_folder_name: z.string().nullable(),
  is_active: flag.describe('true until it is sent, or marked as done by a user'),
  send_at: instant,
  completed_at: instant.nullable().describe('When it was sent or marked as done'),
  send_from_user_id: id,
  completing_user_id: id.nullable().describe('The user who marked it as done'),
  dispatch_state: choice(...dispatchStates).describe(
    'Only a communication that is Scheduled will be sent. Unknown: the response of the provider was lost, and the provider is being asked, except about an e-mail',
  ),
  delivery_state: choice(...deliveryStates)
    .nullable()
    .describe(
      'What was reported after the provider accepted it; null if nothing was. An e-mail that bounced is Undelivered',
    ),
  dispatch_reason: z.string().nullable().describe('Why it failed, was dropped or is being retried'),
});

const line = z.string().nullable();
const person = z.object({ id, first_name: line, last_name: line }).nullable();

/** The view with `$load=send_from_user,completing_user`. */
const LoadedCommunicationView = CommunicationView.extend({
  send_from_user: person,
  completing_user: person,
}).partial({ send_from_user: true, completing_user: true });
const eitherView = z.union([CommunicationView, LoadedCommunicationView]);

export const relations = ['send_from_user', 'completing_user'] as const;
const $load = loadOf(...relations).describe(
  'Related records to return as well: send_from_user, completing_user',
);

export const markedAsDone = 'It was marked as done before it was sent.';

export const beingSent = refusal('Conflict', 'It is being sent. Try again in a minute.', {
  reason: 'being_sent',
  when: 'A communication is marked as done or not done while it is being sent to the provider.',
  fix: 'Read it again in a minute. If it was sent by then, there is nothing left to change.',
  example: 'PATCH /contacts/4001/campaign-communications/4002\n\n{ "is_active": false }',
  given: 'it is being sent',
});

const contact_id = id;

export const communicationApi = {
  find: operation({
    rest: 'GET /contacts/:contact_id/campaign-communications',
    summary: 'List the communications that campaigns have sent or will send to a contact',
    input: find(CommunicationView, { own: { contact_id }, load: relations }),
    output: pageOf(eitherView),
    refuses: [notFound],
  }),
  get: operation({
    rest: 'GET /contacts/:contact_id/campaign-communications/:id',
    summary: 'Read a communication of a contact',
    input: record(CommunicationView, { contact_id, id, $load }),
    output: eitherView,
    query: ['$load'],
    refuses: [notFound],
  }),
  patch: operation({
    rest: 'PATCH /contacts/:contact_id/campaign-communications/:id',
    summary: 'Mark a communication as done, so that it is not sent, or as not done',
    input: record(CommunicationView, { contact_id, id, is_active: flag.optional() }),
    output: CommunicationView,
    refuses: [notFound, beingSent],
  }),
};
