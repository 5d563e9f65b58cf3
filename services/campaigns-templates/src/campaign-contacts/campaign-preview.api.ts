import { id, instant, notFound, type Operation, operation } from '@crm/contract';
import { schedulingApi } from '@crm/scheduling/api';
import { z } from 'zod';

const preview = operation({
  rest: 'POST /campaigns/:id/preview',
  creates: false,
  summary: 'Show what a contact would get of a campaign from the caller, and when; nothing is stored or sent',
  input: z.object({
    id,
    contact_id: id.describe('A contact that the caller sees'),
    start_at: instant
      .optional()
      .describe('When the contact would be put into the campaign; now, if not given'),
  }),
  output: schedulingApi.enrolments.preview.output,
  refuses: [notFound],
});

export const campaignPreviewApi = {
  // A query: it runs outside any transaction, where nothing could be written, and reading is enough to ask for it.
  preview: { ...preview, kind: 'query' } satisfies Operation,
};
