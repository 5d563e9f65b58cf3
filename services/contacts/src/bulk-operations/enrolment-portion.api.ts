import { choice, id, integer, internal, text } from '@crm/contract';
import { identityApi } from '@crm/identity/api';
import { z } from 'zod';
import { BulkOperationErrorView } from './bulk-operation.api.ts';

const callers = ['campaigns-templates'] as const;
const maxSize = 100;

/** Lets the service of campaigns carry out the operations that add contacts to a campaign. */
export const enrolmentPortionApi = {
  nextPortion: internal({
    kind: 'mutation',
    for: 'system',
    callers,
    summary:
      'The next contacts of a bulk operation that adds them to a campaign; ends the operation if its user is no longer allowed to act',
    input: z.object({ id, size: z.int().min(1).max(maxSize) }),
    output: z.object({
      state: choice('Due', 'Waiting', 'Ended').describe('Waiting for an earlier operation of the user'),
      portion: z
        .object({
          processed: integer.describe('How many contacts were processed before'),
          contact_ids: z.array(id),
          seen: z
            .array(z.object({ id, birthday: text(255).nullable() }))
            .describe('The contacts among them that the user can see'),
          campaign_id: id,
          user: identityApi.actors.ofUsers.output.element.describe('With current rights'),
          request_id: z.string().describe('Of the request that created the operation'),
        })
        .nullable(),
    }),
  }),
  settlePortion: internal({
    kind: 'mutation',
    for: 'system',
    callers,
    summary: 'Record that contacts were processed; does nothing if that is already recorded',
    input: z.object({
      id,
      processed: integer.describe('How many contacts were processed before'),
      count: z.int().min(1).max(maxSize),
      problems: z.array(BulkOperationErrorView.pick({ id: true, message: true, errors: true })).max(maxSize),
    }),
    output: z.object({}),
  }),
};
