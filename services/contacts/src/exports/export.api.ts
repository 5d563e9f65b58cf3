import { choice, FilePart, operation, text } from '@crm/contract';
import { z } from 'zod';

const types = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' } as const;

export const exportApi = {
  contacts: operation({
    rest: 'GET /exports/contacts',
    summary: 'Download contacts as a file',
    details:
      'The response contains all contacts that you can see, oldest first, or those that match `filter`, such as `filter[hotness_id]=3`. The conditions are those of GET /contacts, including search: `filter[$search]=ada`, which does not match words with a wrong letter here. With `Accept: application/x-ndjson`, each line is a contact in JSON, with `text_opt_out` and `email_opt_out`; otherwise the response is CSV with the columns of `crm contacts export`, plus `owner` if it includes contacts of other users. If the export fails midway, the connection is closed before the response is complete.',
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
