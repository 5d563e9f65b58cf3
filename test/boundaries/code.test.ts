import { routes } from '@crm/gateway';
import { describe, expect, it } from 'vitest';
import { schemasInFunctionsOf } from './schemas.ts';
import { allSources, sources, textOf } from './sources.ts';

/** The files for which the condition holds. A pattern that matches no file would never fail, so it does. */
function filesIn(files: readonly string[], isMatch: (file: string) => boolean): string[] {
  expect(files).not.toEqual([]);
  return files.filter(isMatch);
}

describe('the code', () => {
  // The query builder and raw SQL bypass the visibility rules, so they are where reviewers look for them.
  it('of services has SQL only in queries and migrations', () => {
    const files = sources('services/*/src/**/*.ts');
    const allowed = /\.queries\.ts$|\/migrations\//;
    const sql =
      /createQueryBuilder|getConnection|getKnex|getKysely|executeQuery|CompiledQuery|\.execute\(|\bquery\s*\(|\braw\s*\(|\bsql`|`\s*(select|insert|update|delete)\s/i;
    const withSql = filesIn(files, (file) => sql.test(textOf(file)));
    expect(withSql.filter((file) => allowed.test(file))).not.toEqual([]);
    expect(withSql.filter((file) => !allowed.test(file))).toEqual([]);
  });

  // Zod compiles a schema when it is first used, so one that is made per call is compiled for every statement.
  it('makes the schemas of services and of rows when it is loaded', () => {
    const files = sources(...allSources).filter(
      (file) =>
        /^services\/.*(?<!\.api)\.ts$|\.queries\.ts$/.test(file) || /\bqueryRows?\b/.test(textOf(file)),
    );
    const found = files.flatMap((file) => schemasInFunctionsOf(file).map((line) => `${file}:${line}`));
    expect(files.some((file) => file.startsWith('packages/dispatch/'))).toBe(true);
    expect(found).toEqual([]);
  });

  it.each([
    ['what reads a timestamp of a row', /\bcoerce\.date\b/, 'packages/data/src/stored-date.ts'],
    [
      'the name of a user in SQL',
      /nullif\(concat_ws\(.*first_name/,
      'services/identity/src/users/user.queries.ts',
    ],
    [
      'the validity of a token in SQL',
      /revoked_at is null and [\w${}]*\.?expires_at >/,
      'services/identity/src/valid-token.queries.ts',
    ],
    ['the SQL of an instant as clients see it', /SS\.MS"Z"/, 'packages/data/src/read-model.ts'],
    ['the subject of what is redelivered', /crm-redrive\./, 'packages/messaging/src/stream-name.ts'],
    [
      'the error of a user of other teams',
      /is not a user of your teams/,
      'packages/contract/src/field-error.ts',
    ],
    ['the prefix of a token', /crm_[a-z]{2}_/, 'packages/auth/src/secret-prefixes.ts'],
  ])('has %s once', (_, form, place) => {
    expect(filesIn(sources(...allSources), (file) => form.test(textOf(file)))).toEqual([place]);
  });

  it('reads the clock of the machine in one place', () => {
    const clock = /new Date\(\s*\)|\bDate\.now\b|\bTemporal\.Now\b|\bDate\(\s*\)/;
    // These work with the files, processes and users of the machine.
    const ofTheMachine = /^(crm|packages\/(embedded|local-carriers|testing))\//;
    const files = sources(...allSources).filter((file) => !ofTheMachine.test(file));
    expect(filesIn(files, (file) => clock.test(textOf(file)))).toEqual(['packages/service/src/clock.ts']);
  });

  it('reads the environment only in main files', () => {
    const files = sources(...allSources).filter((file) => !/^packages\/(embedded|testing)\//.test(file));
    const readers = filesIn(files, (file) =>
      /\bprocess\s*\.\s*env\b|\benv\b.*from 'node:process'/.test(textOf(file)),
    );
    expect(readers.some((file) => file.endsWith('/main.ts'))).toBe(true);
    // What it writes is run by others.
    const samples = 'gateway/src/openapi/code-samples.ts';
    expect(readers.filter((file) => !file.endsWith('/main.ts'))).toEqual([samples]);
  });

  it('of the gateway knows no resource by name', () => {
    const names = routes.flatMap(({ path, procedure }) => [path.split('/')[1], procedure.split('.')[0]]);
    const known = new RegExp(`['"\`/.](${[...new Set(names)].join('|')})\\b`);
    // Two name the packages of contracts and events; the others are prose for people.
    const files = sources('gateway/src/**/*.ts').filter(
      (file) => !/\/(routes|introduction|home|documents|guides)\.ts$/.test(file),
    );
    expect(filesIn(files, (file) => known.test(withoutComments(textOf(file))))).toEqual([]);
  });
});

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
