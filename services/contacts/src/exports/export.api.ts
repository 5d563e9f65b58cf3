import { choice, FilePart, operation, text } from '@crm/contract';
import { z } from 'zod';

const types = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' } as const;

export const exportApi = {
  contacts: operation({
    rest: 'GET /exports/contacts',
    summary: 'Download contacts as a file',
    details:
      'The response has all contacts that you can see, oldest first, or those that meet the conditions in `filter`, such as `filter[hotness_id]=3`; the conditions are those of GET /contacts, with `filter[$search]=ada` for those that a search finds. With `Accept: application/x-ndjson` each line is a contact as JSON, and otherwise the response is CSV with the columns of `crm contacts export`, and with the column `owner` if contacts of others are among them. A response that is cut off is not complete: its connection is closed without the end of the file.',
    input: z.object({
      filter: z
        .record(z.string(), z.unknown(), { error: 'must have conditions in brackets, such as filter[id]=12' })
        .optional()
        .describe('Conditions as in GET /contacts'),
      type: choice('text/csv', 'application/x-ndjson').optional(),
      cursor: text(1_000_000).optional(),
    }),
    query: ['filter'],
    output: FilePart,
    download: { name: 'contacts', types },
  }),
};
