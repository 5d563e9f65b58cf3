import { page } from '@crm/contract';
import { csvType, importLimits, linesType } from '../imports/import.api.ts';

/** Files of contacts, for the user who is signed in. */
export const importPageApi = {
  list: page({
    rest: 'GET /account/import',
    kind: 'query',
    summary: 'Show the imports of the user who is signed in, and the form to send a file',
  }),
  upload: page({
    rest: 'POST /account/import',
    kind: 'mutation',
    summary: 'Upload a file of contacts; its columns are confirmed next',
    upload: {
      parts: 'imports.receive',
      types: [csvType, linesType],
      maxBytes: importLimits.bytes,
    },
  }),
  show: page({
    rest: 'GET /account/import/:import_id',
    kind: 'query',
    summary: 'Show an import: its columns to confirm, its progress, or its outcome',
  }),
  change: page({
    rest: 'POST /account/import/:import_id',
    kind: 'mutation',
    summary: 'Confirm the columns of an import, or cancel it',
  }),
  errors: page({
    rest: 'GET /account/import/:import_id/errors',
    kind: 'query',
    summary: 'Download the rows that were not imported',
  }),
  warnings: page({
    rest: 'GET /account/import/:import_id/warnings',
    kind: 'query',
    summary: 'Download the rows with warnings',
  }),
  export: page({
    rest: 'GET /account/export',
    kind: 'query',
    summary: 'Download the contacts that the user who is signed in sees',
  }),
};
