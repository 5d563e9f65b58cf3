import {
  choice,
  find,
  forbidden,
  id,
  instant,
  integer,
  notFound,
  operation,
  pageOf,
  record,
  reference,
  refusal,
  text,
} from '@crm/contract';
import { z } from 'zod';
import { ContactView, contactDraft } from '../contacts/contact.api.ts';
import { maxTagsLength } from '../tags/tag.api.ts';

/** How many contacts one operation may have. Their ids are stored with it. */
export const maxContacts = 100_000;
const maxIds = 10_000;

const action = choice('patch', 'tag', 'untag', 'assign', 'share', 'enrol', 'list', 'remove');

const changes = contactDraft.omit({ addresses: true });

/** What is done to each contact, by the action that it belongs to. */
export const parameters = {
  changes: changes.describe('For patch: the fields to change, as in PATCH /contacts/{id}'),
  tags: text(maxTagsLength)
    .min(1, { error: 'must not be empty' })
    .describe('For tag and untag: tags separated by commas'),
  assigned_user_id: reference.describe('For assign: the user, or 0 or null for nobody'),
  user_id: id.describe('For share: the colleague'),
  campaign_id: id.describe('For enrol: the campaign that the contacts are added to'),
  static_list_id: id.describe('For list: the static list that the contacts are added to'),
};

const filter = z.record(z.string(), z.unknown(), { error: 'must be an object with conditions' });

export const BulkOperationView = z.object({
  id,
  user_id: id.describe('The user who asked for it'),
  action,
  status: choice('Waiting', 'Running', 'Done', 'Canceled', 'Failed').describe(
    'Failed if the user may no longer do anything',
  ),
  total: integer.describe('How many contacts it concerns, found when it was created'),
  processed: integer.describe('How many of them it has dealt with, with success or not'),
  failed: integer.describe('How many of those were left as they were; see its errors'),
  parameters: z.record(z.string(), z.unknown()).describe('What is done to each contact, as it was sent'),
  examples: z
    .array(ContactView.pick({ id: true, first_name: true, last_name: true }))
    .describe('The first ten of its contacts that the caller sees now'),
  created_at: instant,
  modified_at: instant,
  ended_at: instant.nullable(),
});

export const BulkOperationErrorView = z.object({
  id: id.describe('The id of the contact'),
  message: z
    .string()
    .describe('Why nothing was done to it')
    .meta({ examples: ["No record found for id '4711'"] }),
  errors: z
    .record(z.string(), z.string())
    .describe('A message for each wrong parameter')
    .meta({ examples: [{}] }),
  created_at: instant,
});

export const tooManyOperations = refusal(
  'Conflict',
  'Too many bulk operations wait. Wait until one has ended.',
  {
    reason: 'too_many_bulk_operations',
    when: 'As many bulk operations of the user wait or run as may.',
    fix: 'Wait until `GET /bulk-operations` shows that one has ended, or cancel one.',
    example: 'POST /bulk-operations\n\n{ "action": "tag", … }',
    given: 'several are running',
  },
);

const bulk_operation_id = id;

export const bulkOperationApi = {
  find: operation({
    rest: 'GET /bulk-operations',
    summary: 'List bulk operations',
    input: find(BulkOperationView),
    output: pageOf(BulkOperationView),
  }),
  get: operation({
    rest: 'GET /bulk-operations/:id',
    summary: 'Read a bulk operation and how far it is',
    input: record(BulkOperationView, { id }),
    output: BulkOperationView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /bulk-operations',
    summary: 'Do something to many contacts',
    details:
      'The contacts are those with the given ids, or those that a list with the same conditions has now. What is done follows the rules of single requests, with the rights that you have when it is done, some contacts at a time and one operation after another. Contacts to which it cannot be done are left as they are and become errors of the operation. Try it with `dry_run` to see how many contacts it concerns. Operations are kept for 30 days after their end.',
    example: { action: 'tag', tags: 'Spring', filter: { hotness_id: 3 } },
    input: z.object({
      action,
      contact_ids: z
        .array(id, { error: 'must be a list of contact ids' })
        .min(1, { error: 'must contain at least one id' })
        .max(maxIds, { error: `must have at most ${maxIds} ids; use filter for more` })
        .optional()
        .describe('The contacts, unless filter is given'),
      filter: filter
        .optional()
        .describe(
          'Conditions as in GET /contacts, such as {"hotness_id": 3, "$search": "seattle"}; {} for all',
        ),
      changes: parameters.changes.optional(),
      tags: parameters.tags.optional(),
      assigned_user_id: parameters.assigned_user_id.optional(),
      user_id: parameters.user_id.optional(),
      campaign_id: parameters.campaign_id.optional(),
      static_list_id: parameters.static_list_id.optional(),
    }),
    output: BulkOperationView,
    accepted: true,
    refuses: [forbidden, tooManyOperations],
  }),
  patch: operation({
    rest: 'PATCH /bulk-operations/:id',
    summary: 'Cancel a bulk operation',
    details:
      'What it has done stays done, and one that has ended stays as it is. The response is the whole record.',
    input: record(BulkOperationView, { id, status: choice('Canceled') }),
    output: BulkOperationView,
    refuses: [notFound],
  }),
};

export const bulkOperationErrorApi = {
  find: operation({
    rest: 'GET /bulk-operations/:bulk_operation_id/errors',
    summary: 'List the contacts to which a bulk operation could not be applied',
    input: find(BulkOperationErrorView, { own: { bulk_operation_id } }),
    output: pageOf(BulkOperationErrorView),
    refuses: [notFound],
  }),
};
