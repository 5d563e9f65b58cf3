import { describe, expect, it } from 'vitest';
import { filesAt, textOf } from './sources.ts';

/**
 * What an instance of the version before, which runs on during a deployment, cannot work with, or what waits for all rows of
 * a table while nobody can write it.
 */
const breaking: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['removes a table', /\bdrop table (?!if exists pg_temp)/],
  ['removes a column', /\bdrop column\b/],
  ['renames', /\brename (column\b|to\b)/],
  ['changes a type', /\balter column \w+ (set data )?type\b/],
  ['demands a value', /\bset not null\b/],
  [
    'demands a value without a default',
    /\badd column \w+ (?![^,;]*\b(default|generated)\b)[^,;]*\bnot null\b/,
  ],
  ['checks all rows', /\badd constraint (?![^,;]*\bnot valid\b)[^,;]*\b(check|foreign key|unique)\b/],
];

/** Of the time before anybody ran two versions at once. */
const before: readonly string[] = [
  'services/contacts/src/migrations/0002-tags.ts',
  'services/contacts/src/migrations/0011-consents.ts',
  'services/identity/src/migrations/0010-no-sign-in-targets.ts',
  'services/identity/src/migrations/0012-known-devices.ts',
  'services/leads-routing/src/migrations/0007-outcomes.ts',
  'services/scheduling/src/migrations/0004-outcomes.ts',
];

const problemsIn = (sql: string) =>
  breaking.filter(([, pattern]) => pattern.test(sql.toLowerCase())).map(([what]) => what);

const files = filesAt('services/*/src/migrations/*.ts');
const problems = new Map(files.map((file) => [file, problemsIn(textOf(file))]));

describe('migrations', () => {
  it.each(filesAt('services/*/src/store.ts'))('are listed under the names of their files: %s', (store) => {
    const [, list = ''] = /migrations: \[([^\]]*)\]/.exec(textOf(store)) ?? [];
    const listed = /\{\s*name: '([\w-]+)',\s*load: \(\) => import\('\.\/migrations\/\1\.ts'\),?\s*\},/g;
    expect(list.replaceAll(listed, '').trim()).toBe('');
    const named = [...list.matchAll(listed)].map(([, name]) => name);
    const own = files.filter((file) => file.startsWith(store.replace('store.ts', 'migrations/')));
    expect(named.toSorted()).toEqual(own.map((file) => file.replace(/^.*\/|\.ts$/g, '')).toSorted());
  });

  it('are the only exports of their files', () => {
    const exported = (file: string) =>
      [...textOf(file).matchAll(/^export (class )?/gm)].map(([found]) => found);
    expect(files.filter((file) => exported(file).join() !== 'export class ')).toEqual([]);
  });

  it('leave the version before what it uses, unless their name says that they do not', () => {
    const found = files.filter(
      (file) => problems.get(file)?.length && !/\/\d+-contract-/.test(file) && !before.includes(file),
    );
    expect(found.map((file) => [file, problems.get(file)])).toEqual([]);
  });

  it('are listed as exceptions only if they are', () => {
    expect(before.filter((file) => !problems.get(file)?.length)).toEqual([]);
  });

  it.each([
    ['alter table tags drop column content;', ['removes a column']],
    ['alter table tags rename column content to text;', ['renames']],
    ['alter table tags alter column content type text;', ['changes a type']],
    ['alter table tags add column color text not null;', ['demands a value without a default']],
    ['alter table tags alter column color set not null;', ['demands a value']],
    ["alter table tags add constraint red check (color = 'red');", ['checks all rows']],
    ["alter table tags add constraint red check (color = 'red') not valid;", []],
    ["alter table tags add column color text not null default 'red';", []],
    ['create table more (id integer not null unique); create index more_id on more (id);', []],
  ])('are found by what they say: %s', (sql, expected) => {
    expect(problemsIn(sql)).toEqual(expected);
  });
});
