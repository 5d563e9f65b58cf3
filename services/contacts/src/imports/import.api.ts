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
  refusal,
  text,
  UploadPart,
  withUpload,
} from '@crm/contract';
import { z } from 'zod';
import { maxTagsLength } from '../tags/tag.api.ts';

export const csvType = 'text/csv';
export const linesType = 'application/x-ndjson';
export const importLimits = { bytes: 256 * 1024 * 1024, rows: 1_000_000 } as const;

const types = [csvType, linesType] as const;
const type = choice(...types);
const duplicates = choice('skip', 'update', 'create');
const match = choice('email', 'phone', 'both');

export const statuses = ['Uploading', 'Mapping', 'Waiting', 'Running', 'Done', 'Canceled', 'Failed'] as const;

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
    .describe('Why it has failed')
    .meta({ examples: [null] }),
  dry_run: z.boolean().describe('Whether it only reports what an import would do'),
  duplicates: duplicates.describe('What is done with a row of somebody who is a contact already'),
  match: match.describe('How contacts are recognised'),
  create_missing: z.boolean().describe('Whether custom fields and hotnesses that do not exist are created'),
  tags: z
    .string()
    .nullable()
    .describe('Tags that each contact gets besides those of its row')
    .meta({ examples: ['Spring'] }),
  assigned_user_id: id.nullable().describe('The assignee of new contacts whose row names none'),
  columns: z
    .array(
      z.object({
        header: z
          .string()
          .describe('As the file has it')
          .meta({ examples: ['First Name'] }),
        field: z
          .string()
          .nullable()
          .describe('The field that it fills; null if it is left out')
          .meta({ examples: ['first_name'] }),
      }),
    )
    .describe('The columns of a CSV file'),
  bytes: integer.describe('The size of the file, as far as it has arrived'),
  progress: integer.describe('How much of the file was read, in percent'),
  rows: integer.describe('How many rows were read'),
  created: integer.describe('How many of them became new contacts'),
  updated: integer.describe('How many matched a contact, which was updated'),
  skipped: integer.describe('How many matched a contact, which stayed as it was'),
  failed: integer.describe('How many were refused; they are in the file of errors'),
  warned: integer.describe('How many were imported with a value that was converted or left out'),
  rows_per_second: number.nullable().describe('Since it was started'),
  created_at: instant,
  modified_at: instant,
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
});

const mapping = z.record(text(255), text(300), { error: 'must be like mapping[Header]=field' });

/** How the rows of a file are imported. */
export const importOptions = {
  dry_run: flag.optional().describe('Change nothing, and report what an import would do'),
  duplicates: duplicates
    .optional()
    .describe(
      'For a row of somebody who is a contact: skip it (the default), update the contact, or add one more',
    ),
  match: match
    .optional()
    .describe('Recognise contacts by e-mail address, by mobile phone, or by either (the default)'),
  create_missing: flag.optional().describe('Create custom fields and hotnesses that do not exist'),
  tags: text(maxTagsLength)
    .min(1, { error: 'must not be empty' })
    .optional()
    .describe('Tags for each contact'),
  assigned_user_id: reference.optional().describe('The assignee of new contacts whose row names none'),
  mapping: mapping
    .optional()
    .describe('What columns mean, such as mapping[Stage]=hotness; an empty field leaves a column out'),
};

export const tooManyImports = refusal('Conflict', 'Too many imports wait. Wait until one has ended.', {
  reason: 'too_many_imports',
  when: 'As many imports of the user arrive, wait or run as may.',
  fix: 'Wait until `GET /imports` shows that one has ended, or cancel one.',
  example: 'POST /imports\nContent-Type: text/csv\n\nfirst_name,email\n…',
  given: 'several are waiting',
});

export const importApi = {
  find: operation({
    rest: 'GET /imports',
    summary: 'List imports',
    input: find(ImportView),
    output: pageOf(ImportView),
  }),
  get: operation({
    rest: 'GET /imports/:id',
    summary: 'Read an import and how far it is',
    input: record(ImportView, { id }),
    output: ImportView,
    refuses: [notFound],
  }),
  create: withUpload(
    operation({
      rest: 'POST /imports',
      summary: 'Import contacts from a file',
      details:
        'The body is the file: CSV as described in the guide about imports, or lines of JSON, each like the body of POST /contacts; or a form (multipart/form-data) with the file as its last part, whose other fields are options. The options can also be in the query. The rows are imported soon after the file has arrived, some at a time and one import after another, with the rules of single requests and the rights that you have then. Each row of a file adds one contact, however often it is sent. Rows that cannot be imported are in the file of errors, which can be fixed and sent again. With `dry_run` nothing is changed, and the import reports what it would do. Imports are kept for 30 days after their end, their files only until then. With an Idempotency-Key an upload that was interrupted can be sent again.',
      input: z.object({
        ...importOptions,
        name: text(255).optional().describe('The name of the file'),
        type: type.optional(),
      }),
      query: ['name', ...Object.keys(importOptions)],
      output: ImportView,
      accepted: true,
      dryRun: false,
      refuses: [forbidden, tooManyImports],
    }),
    { parts: 'imports.receive', types, maxBytes: importLimits.bytes },
  ),
  patch: operation({
    rest: 'PATCH /imports/:id',
    summary: 'Cancel an import',
    details:
      'The rows that it has imported stay contacts, and an import that has ended stays as it is. The response is the whole record.',
    input: record(ImportView, { id, status: choice('Canceled') }),
    output: ImportView,
    refuses: [notFound],
  }),
  errors: operation({
    rest: 'GET /imports/:id/errors',
    summary: 'Download the rows that were not imported',
    details:
      'The response has the whole rows in the form of the file that was sent, each with its line and the reason at the end. Fix the rows and send the file as it is.',
    input: z.object({ id, type: type.optional(), cursor: text(100).optional() }),
    output: FilePart,
    download: { name: 'errors', types: { [csvType]: 'csv', [linesType]: 'ndjson' } },
    refuses: [notFound],
  }),
  warnings: operation({
    rest: 'GET /imports/:id/warnings',
    summary: 'Download the rows of which a value was converted or left out',
    details: 'They were imported. The response has the form of the file of errors.',
    input: z.object({ id, type: type.optional(), cursor: text(100).optional() }),
    output: FilePart,
    download: { name: 'warnings', types: { [csvType]: 'csv', [linesType]: 'ndjson' } },
    refuses: [notFound],
  }),
  receive: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['gateway'],
    summary: 'Take a part of the file of an import; the last one starts it',
    input: UploadPart,
    output: ImportView,
    refuses: [notFound],
  }),
};
