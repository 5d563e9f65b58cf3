import {
  choice,
  FilePart,
  find,
  flag,
  forbidden,
  id,
  instant,
  integer,
  internal,
  notFound,
  number,
  operation,
  pageOf,
  record,
  reference,
  text,
  UploadPart,
  withUpload,
} from '@crm/contract';
import { z } from 'zod';
import { maxTagsLength } from '../tags/tag.api.ts';
import { endedBeforeFile, tooManyImports } from './import-refusals.api.ts';

export const csvType = 'text/csv';
export const linesType = 'application/x-ndjson';
export const importLimits = { bytes: 256 * 1024 * 1024, rows: 1_000_000 } as const;

const types = [csvType, linesType] as const;
const type = choice(...types);
export const duplicates = choice('skip', 'update', 'create');
export type Duplicates = z.output<typeof duplicates>;
const match = choice('email', 'phone', 'both');

const statuses = ['Uploading', 'Mapping', 'Waiting', 'Running', 'Done', 'Canceled', 'Failed'] as const;

export const ImportView = z.object({
  id,
  user_id: id.describe('The user whose contacts the rows become'),
  name: z
    .string()
    .nullable()
    .describe('The name of the file')
    .meta({ examples: ['office.csv'] }),
  type: type.describe('The content type of the file'),
  status: choice(...statuses).describe(
    'Uploading until the file has arrived; Mapping until its columns are confirmed on the page of imports; Failed if the file or its user allows no more rows',
  ),
  error: z
    .string()
    .nullable()
    .describe('Why it failed')
    .meta({ examples: [null] }),
  dry_run: z.boolean().describe('Whether it only reports what an import would do'),
  duplicates: duplicates.describe('What is done with a row that matches an existing contact'),
  match: match.describe('How contacts are recognized'),
  create_missing: z.boolean().describe('Whether custom fields and hotnesses that do not exist are created'),
  tags: z
    .string()
    .nullable()
    .describe('Tags that each contact gets in addition to those of its row')
    .meta({ examples: ['Spring'] }),
  assigned_user_id: id.nullable().describe('The assignee of new contacts if their row names none'),
  columns: z
    .array(
      z.object({
        header: z
          .string()
          .describe('As in the file')
          .meta({ examples: ['First Name'] }),
        field: z
          .string()
          .nullable()
          .describe('The field that the column fills; null if it is ignored')
          .meta({ examples: ['first_name'] }),
      }),
    )
    .describe('The columns of a CSV file'),
  bytes: integer.describe('The number of bytes that have arrived'),
  progress: integer.describe('The percentage of the file that was read'),
  rows: integer.describe('Number of rows that were read'),
  created: integer.describe('Number of rows that became new contacts'),
  updated: integer.describe('Number of rows that updated an existing contact'),
  skipped: integer.describe('Number of rows that matched an existing contact, which was left unchanged'),
  failed: integer.describe('Number of rows that were rejected; they are in the error file'),
  warned: integer.describe(
    'Number of rows with a warning: a value was converted or left out, a name was replaced, or the row was skipped for a contact with another name',
  ),
  rows_per_second: number.nullable().describe('The average since it started'),
  created_at: instant,
  modified_at: instant,
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
});
export type ImportView = z.output<typeof ImportView>;

const mapping = z.record(text(255), text(300), { error: 'must look like mapping[Header]=field' });

/** How the rows of a file are imported. */
const importOptions = {
  dry_run: flag.optional().describe('Change nothing, and report what an import would do'),
  duplicates: duplicates
    .optional()
    .describe(
      'For a row that matches an existing contact: skip it (the default) except for its opt-outs, update the contact, or add another one',
    ),
  match: match
    .optional()
    .describe('Recognize contacts by e-mail address, by mobile phone, or by either (the default)'),
  create_missing: flag.optional().describe('Create custom fields and hotnesses that do not exist'),
  tags: text(maxTagsLength)
    .min(1, { error: 'must not be empty' })
    .optional()
    .describe('Tags for each contact'),
  assigned_user_id: reference.optional().describe('The assignee of new contacts if their row names none'),
  mapping: mapping
    .optional()
    .describe(
      'Which fields the columns fill, such as mapping[Stage]=hotness; a column with an empty field is ignored',
    ),
};

export const importApi = {
  find: operation({
    rest: 'GET /imports',
    summary: 'List imports',
    input: find(ImportView),
    output: pageOf(ImportView),
  }),
  get: operation({
    rest: 'GET /imports/:id',
    summary: 'Read an import and its progress',
    input: record(ImportView, { id }),
    output: ImportView,
    refuses: [notFound],
  }),
  create: withUpload(
    operation({
      rest: 'POST /imports',
      summary: 'Import contacts from a file',
      details:
        'The body is the file: CSV as described in the guide about imports, or lines of JSON, each like the body of POST /contacts and, for somebody who has opted out, with `text_opt_out`, `email_opt_out` or `opt_out` as true. It can also be a form (multipart/form-data) with options as its first fields and the file as its last part. Options can also be sent in the query. The rows are imported soon after the file has arrived, under the same rules as single requests and with the rights that you have at that time. Your imports run one after another. Each row of a file adds one contact, however often the file is sent. Rows that cannot be imported are in the error file, which you can correct and send again. With `dry_run` nothing is changed, and the import reports what it would do. Imports are kept for 30 days after they end, their files only until they end. With an Idempotency-Key, an interrupted upload can be sent again.',
      input: z.object({
        ...importOptions,
        name: text(255).optional().describe('The name of the file'),
        type: type.optional(),
      }),
      query: ['name', ...Object.keys(importOptions)],
      output: ImportView,
      accepted: true,
      dryRun: false,
      refuses: [forbidden, tooManyImports, endedBeforeFile],
    }),
    { parts: 'imports.receive', types, maxBytes: importLimits.bytes },
  ),
  patch: operation({
    rest: 'PATCH /imports/:id',
    summary: 'Cancel an import',
    details:
      'Contacts that were already imported are kept, and an import that has ended stays as it is. The response is the whole record.',
    input: record(ImportView, { id, status: choice('Canceled') }),
    output: ImportView,
    refuses: [notFound],
  }),
  errors: operation({
    rest: 'GET /imports/:id/errors',
    summary: 'Download the rows that were not imported',
    details:
      'The response has the format of the file that was sent: whole rows, each followed by its line and the reason. Correct the rows and send this file; the additional columns are ignored.',
    input: z.object({ id, type: type.optional(), cursor: text(100).optional() }),
    output: FilePart,
    download: { name: 'errors', types: { [csvType]: 'csv', [linesType]: 'ndjson' } },
    refuses: [notFound],
  }),
  warnings: operation({
    rest: 'GET /imports/:id/warnings',
    summary: 'Download the rows with warnings',
    details:
      'Most of these rows were imported, with a value that was converted or left out. Those that were skipped for a contact with another name were not; each says so, and can be sent in a file of its own to add its person. The response has the format of the error file.',
    input: z.object({ id, type: type.optional(), cursor: text(100).optional() }),
    output: FilePart,
    download: { name: 'warnings', types: { [csvType]: 'csv', [linesType]: 'ndjson' } },
    refuses: [notFound],
  }),
  receive: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['gateway'],
    summary: 'Receive a part of the file of an import; the last part starts it',
    input: UploadPart,
    output: ImportView,
    refuses: [notFound, endedBeforeFile],
  }),
};
