import { id, instant, notFound, type Operation, operation } from '@crm/contract';
import { schedulingApi } from '@crm/scheduling/api';
import { z } from 'zod';

const preview = operation({
  rest: 'POST /campaigns/:id/preview',
  creates: false,
  summary:
    'Preview what a campaign would send to a contact for the caller, and when; nothing is stored or sent',
  input: z.object({
    id,
    contact_id: id.describe('A contact that the caller can see'),
    start_at: instant.optional().describe('When the contact would be added to the campaign (default now)'),
  }),
  output: schedulingApi.enrolments.preview.output,
  refuses: [notFound],
});

export const campaignPreviewApi = {
  // A query runs outside any transaction, so it cannot write anything, and the read scope is enough to call it.
  preview: { ...preview, kind: 'query' } satisfies Operation,
};
