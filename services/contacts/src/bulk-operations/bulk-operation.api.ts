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
import { refusingOptOuts } from '../contacts/refusing-opt-outs.api.ts';
import { maxTagsLength } from '../tags/tag.api.ts';

/** How many contacts one operation may have. Their ids are stored with it. */
export const maxContacts = 100_000;
const maxIds = 10_000;

const action = choice('patch', 'tag', 'untag', 'assign', 'share', 'enrol', 'list', 'remove');

const changes = refusingOptOuts(
  contactDraft
    .omit({ addresses: true })
    .describe('For patch: the fields to change, as in PATCH /contacts/{id}'),
);

/** What is done to each contact, by action. */
const AllParameters = z.object({
  changes,
  tags: text(maxTagsLength)
    .min(1, { error: 'must not be empty' })
    .describe('For tag and untag: tags separated by commas'),
  assigned_user_id: reference.describe('For assign: the user; 0 or null for nobody'),
  user_id: id.describe('For share: the colleague'),
  campaign_id: id.describe('For enrol: the campaign that the contacts are added to'),
  static_list_id: id.describe('For list: the static list that the contacts are added to'),
});
export type AllParameters = z.output<typeof AllParameters>;
export const Parameters = AllParameters.partial();
export type Parameters = Partial<AllParameters>;

const filter = z.record(z.string(), z.unknown(), { error: 'must be an object with conditions' });

export const BulkOperationView = z.object({
  id,
  user_id: id.describe('The user who created it'),
  action,
  status: choice('Waiting', 'Running', 'Done', 'Canceled', 'Failed').describe(
    'Failed if the user is no longer allowed to do anything',
  ),
  total: integer.describe('Number of contacts, determined when it was created'),
  processed: integer.describe('Number of contacts processed, including failures'),
  failed: integer.describe('Number of contacts that were left unchanged because of an error; see its errors'),
  parameters: z.record(z.string(), z.unknown()).describe('The parameters of the action, as they were sent'),
  examples: z
    .array(ContactView.pick({ id: true, first_name: true, last_name: true }))
    .describe('The first ten of its contacts that the caller can see'),
  created_at: instant,
  modified_at: instant,
  ended_at: instant.nullable(),
});
export type BulkOperationView = z.output<typeof BulkOperationView>;

export const BulkOperationErrorView = z.object({
  id: id.describe('The id of the contact'),
  message: z
    .string()
    .describe('Why the action failed for it')
    .meta({ examples: ["No record found for id '4711'"] }),
  errors: z
    .record(z.string(), z.string())
    .describe('A message for each invalid parameter')
    .meta({ examples: [{}] }),
  created_at: instant,
});

export const tooManyOperations = refusal(
  'Conflict',
  'Too many bulk operations are waiting. Wait until one has ended.',
  {
    reason: 'too_many_bulk_operations',
    when: 'The user has reached the maximum number of waiting and running bulk operations.',
    fix: 'Wait until one has ended (see `GET /bulk-operations`), or cancel one.',
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
    summary: 'Read a bulk operation and its progress',
    input: record(BulkOperationView, { id }),
    output: BulkOperationView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /bulk-operations',
    summary: 'Apply an action to many contacts',
    details:
      'The operation applies to the contacts with the given ids, or to those that match the filter when it is created. Each contact is handled like a single request, with the rights that you have at that time. Your operations run one after another. Contacts for which the action fails are left unchanged and listed among the errors of the operation. Use `dry_run` to see how many contacts it would apply to. Operations are kept for 30 days after they end.',
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
          'Conditions as in GET /contacts, such as {"hotness_id": 3, "$search": "seattle"}; {} for all. A search does not match words with a wrong letter.',
        ),
      ...Parameters.shape,
    }),
    output: BulkOperationView,
    accepted: true,
    refuses: [forbidden, tooManyOperations],
  }),
  patch: operation({
    rest: 'PATCH /bulk-operations/:id',
    summary: 'Cancel a bulk operation',
    details:
      'Contacts that were already processed stay changed, and an operation that has ended stays as it is. The response is the whole record.',
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
