import { describe, expect, it } from 'vitest';
import { ImportView } from '../imports/import.api.ts';
import { importPage } from './import.page.ts';
import type { Shown } from './import-page.queries.ts';
import { readConfirmed } from './read-confirmed.ts';

const visitor = { user_id: 1, timezone: 'America/Chicago', form_token: 'token' };

const shown: Omit<Shown, 'status'> = {
  id: 2,
  user_id: visitor.user_id,
  name: 'office.csv',
  type: 'text/csv',
  error: null,
  dry_run: false,
  duplicates: 'skip',
  match: 'both',
  create_missing: false,
  tags: null,
  assigned_user_id: null,
  columns: [],
  bytes: 0,
  progress: 0,
  rows: 0,
  created: 0,
  updated: 0,
  skipped: 0,
  failed: 0,
  warned: 0,
  rows_per_second: null,
  created_at: new Date('2026-03-02T12:00:00Z'),
  headers: [],
  mapping: [],
  customNames: new Set<string>(),
  delimiter: null,
};

describe('the page of an import', () => {
  const states = ImportView.shape.status.options.filter((status) => status !== 'Mapping');

  it.each(states)('says in a sentence that it is %s', (status) => {
    const { body } = importPage(visitor, { ...shown, status }, { rows: [] });
    expect(body).toMatch(
      /<p role="status">The import (is \w+|is waiting for (its turn|the rest of its file))\.<\/p>/,
    );
  });
});

describe('the form of columns', () => {
  const columnsOf = (...fields: readonly string[]) => ({
    columns: fields.map((field, index) => ({ header: `Column ${index}`, field })),
    mapping: {},
    customNames: new Set<string>(),
  });
  const confirmed = (...fields: readonly string[]) =>
    readConfirmed(new Map([['duplicates', 'skip']]), columnsOf(...fields));

  it('refuses two columns for one field, unless several may fill it', () => {
    expect(confirmed('email', 'email')).toEqual({
      problem: expect.stringContaining('Two columns fill "Email"'),
    });
    for (const field of ['phone', 'email_opt_out', 'opt_in'])
      expect(confirmed(field, field)).toMatchObject({ duplicates: 'skip' });
  });
});
