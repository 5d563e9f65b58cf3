import { suggestion } from '@crm/contract';
import { seed } from '@crm/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inItsShape } from './contract/budget.ts';
import { type Field, writableFields } from './contract/fields.ts';
import { inShape } from './contract/in-shape.ts';
import { placed, unalerted } from './contract/known.ts';
import { expectNoFaults } from './contract/made-up-cursors.ts';
import { queryString } from './contract/query-string.ts';
import { questions, shortText } from './contract/questions.ts';
import { newParents, newRecord, newRecordBelow, resourceCalled } from './contract/records.ts';
import { answerTo, type Question } from './contract/reference-model.ts';
import {
  type Complete,
  fillable,
  kindsOf,
  narrowing,
  nestedOf,
  pathOf,
  switchesOf,
} from './contract/resources.ts';
import { walk } from './contract/walk.ts';
import type { Json } from './system/api.ts';
import { type Person, shapes, startSystem } from './system.ts';

const everything: Question = { filters: [], groups: [], sort: [], limit: 1000, skip: 0, select: undefined };

describe.each(shapes)('%s: the list of', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  describe.each(inShape(shape, fillable))('$name', (resource) => {
    const elsewhere = placed[resource.name];
    const source = resourceCalled(elsewhere?.of ?? resource.name);
    const kinds = kindsOf(resource);
    const fields = [...kinds.keys()];
    let anna: Person;
    let list = '';
    let records: readonly Json[] = [];

    beforeAll(async () => {
      anna = await system.person({ is_broker: true });
      const parents = await newParents(anna, resource);
      list = pathOf(resource.find, parents);
      for (const draft of draftsOf(source)) {
        if (elsewhere) await elsewhere.place(anna, list, (await newRecord(anna, source, draft)).id);
        else await newRecordBelow(anna, source, parents, { ...draft, ...unalerted[source.name] });
      }
      // What is shown of some of them is known a little later on a busy machine.
      await system.settled();
      records = (await anna.api.list(`${list}?$limit=1000`)).data;
    });

    const ask = (query: string) => anna.api.list(`${list}?${query}`);
    const refused = async (query: string) => {
      const { status, body } = await anna.api.get(`${list}?${query}`);
      expect(status, query).toBe(400);
      return body.errors as Readonly<Record<string, string>>;
    };

    it('is an envelope with ten records by default', async () => {
      const { total, limit, skip, data } = await anna.api.list(list);
      expect({ total, limit, skip, length: data.length }).toEqual({
        total: records.length,
        limit: 10,
        skip: 0,
        length: 10,
      });
      expect(records.length).toBeGreaterThanOrEqual(24);
      expect(data).toEqual(
        answerTo({ resource: source.name, kinds, records }, { ...everything, limit: 10 }).data,
      );
    });

    it('only counts with a limit of 0', async () => {
      expect(await ask('$limit=0')).toEqual({ total: records.length, limit: 0, skip: 0, data: [] });
    });

    it('is limited to a thousand records', async () => {
      expect((await ask('$limit=1001')).limit).toBe(1000);
      expect((await ask('$limit=2147483647')).limit).toBe(1000);
      expect((await ask('$limit=99999999999999999999')).limit).toBe(1000);
    });

    it('is empty but counted beyond its end', async () => {
      expect(await ask('$skip=5000')).toEqual({ total: records.length, limit: 10, skip: 5000, data: [] });
    });

    it.each(['$limit', '$skip'])('rejects a second %s, and an operator for it', async (name) => {
      expect(Object.keys(await refused(`${name}=1&${name}=2`))).toEqual([name]);
      expect(Object.keys(await refused(`${name}[$gt]=1`))).toEqual([name]);
    });

    it('rejects an invalid $limit and $skip of the same request', async () => {
      for (const value of ['-1', '1.5', 'x', '', 'NaN', '1e3', '0x10', 'null', '１'].map(
        encodeURIComponent,
      )) {
        const errors = await refused(`$limit=${value}&$skip=${value}`);
        expect(Object.keys(errors).sort(), value).toEqual(['$limit', '$skip']);
      }
      expect(Object.keys(await refused('$skip=9999999999'))).toEqual(['$skip']);
    });

    it(`responds to any query like the reference model (seed ${seed})`, async () => {
      const model = { resource: source.name, kinds, records };
      const property = fc.asyncProperty(questions(resource, records), async (question) => {
        expect(await ask(queryString(question))).toEqual(answerTo(model, question));
      });
      await fc.assert(property, { seed, numRuns: inItsShape(25) });
    });

    it('is in any order, and has pages that never overlap', async () => {
      const model = { resource: source.name, kinds, records };
      const idsOf = (data: readonly Json[]) => data.map(({ id }) => id);
      const asked = (sort: Question['sort'], part: Partial<Question>) =>
        ask(queryString({ ...everything, sort, select: ['id'], ...part }));
      // Each field in one direction, in another run perhaps in the other.
      const orders: Question['sort'][] = fields.map((field, index) => [[field, (index + seed) % 2 ? 1 : -1]]);
      for (const sort of orders) {
        const { data } = await asked(sort, {});
        expect(idsOf(data), JSON.stringify(sort)).toEqual(
          idsOf(answerTo(model, { ...everything, sort }).data),
        );
      }
      for (const sort of [[], orders[Math.abs(seed) % orders.length] ?? []]) {
        const skips = Array.from({ length: Math.ceil(records.length / 15) }, (_, page) => page * 15);
        const pages = await Promise.all(skips.map((skip) => asked(sort, { limit: 15, skip })));
        const ids = idsOf(answerTo(model, { ...everything, sort }).data);
        expect(
          pages.flatMap(({ data }) => idsOf(data)),
          JSON.stringify(sort),
        ).toEqual(ids);
      }
    });

    it('has the same records in the same order when it is read by cursor', async () => {
      const model = { resource: source.name, kinds, records };
      const property = fc.asyncProperty(questions(resource, records), async (question) => {
        const { data, total } = answerTo(model, { ...question, limit: 1000, skip: 0 });
        const pages = queryString({ ...question, limit: 5 + (question.limit % 13), skip: 0 });
        expect(await walk(anna.api, list, pages), pages).toEqual({ data, totals: [total] });
      });
      await fc.assert(property, { seed, numRuns: inItsShape(4) });
    });

    it('has a page or an error about $after for any cursor that was made up', () =>
      expectNoFaults(anna.api, list, kinds, inItsShape(25)));

    it('shows the selected fields and the id', async () => {
      for (const name of Object.keys(resource.view.shape)) {
        const [first = {}] = (await ask(`$select=${name}&$limit=1`)).data;
        expect(Object.keys(first).sort()).toEqual([...new Set(['id', name])].sort());
      }
      const [first = {}] = (await ask(`$select[]=${fields[0]}&$select[]=${fields[1]}&$limit=1`)).data;
      expect(Object.keys(first).sort()).toEqual([...new Set(['id', fields[0], fields[1]])].sort());
    });

    it('rejects each unknown field by name, with a suggestion', async () => {
      const typos = fields
        .filter((name) => name.length > 3)
        .map((field) => field.slice(0, 2) + field.slice(3))
        .map((typo) => [typo, `Unknown field "${typo}".${suggestion(typo, fields)}`] as const);
      for (const [typo, error] of typos) expect(error, typo).toMatch(/Did you mean/);
      const asked = (parameter: (typo: string) => string) =>
        refused(typos.map(([typo]) => `${parameter(typo)}=1`).join('&'));
      expect(await asked((typo) => typo)).toEqual(Object.fromEntries(typos));
      expect(await asked((typo) => `$sort[${typo}]`)).toEqual(
        Object.fromEntries(typos.map(([typo, error]) => [`$sort.${typo}`, error])),
      );
      expect(await asked((typo) => `$or[0][${typo}]`)).toEqual(
        Object.fromEntries(typos.map(([typo, error]) => [`$or.0.${typo}`, error])),
      );
      for (const [typo] of typos.slice(0, 3)) {
        expect((await refused(`$select=${typo}`)).$select).toMatch(/Unknown name .*Did you mean/);
      }
    });

    it('rejects an unknown operator by name', async () => {
      for (const operator of [
        '$regex',
        '$re',
        '$not',
        '$exists',
        '$where',
        '$ilike',
        '$fulltext',
        'gt',
        '$',
      ]) {
        const errors = await refused(`${fields[0]}[${operator}]=1`);
        expect(Object.keys(errors).join(), operator).toContain(fields[0]);
      }
      for (const name of ['$where', '$regex', '$populate', '$nor', '$limits']) {
        expect(await refused(`${name}=1`)).toHaveProperty([name]);
      }
    });

    it('rejects nested fields and dotted names', async () => {
      // A parameter of the path means the parent, wherever else it is sent.
      const nested = [...nestedOf(resource)].filter((name) => !resource.parents.includes(name));
      const asked = [
        ...nested,
        `${fields[0]}.id`,
        'team.id',
        'user.id',
        ...nested.map((name) => `${name}.id`),
      ];
      const ways = [
        (name: string) => [`${name}=1`, name],
        (name: string) => [`${name}[$ne]=1`, name],
        (name: string) => [`$sort[${name}]=1`, `$sort.${name}`],
      ];
      // Each name in one way, in another run perhaps in the next.
      for (const [index, name] of asked.entries()) {
        const [query = '', parameter = ''] = ways[(index + seed) % 3]?.(name) ?? [];
        expect(await refused(query)).toHaveProperty([parameter]);
      }
      for (const name of nested) expect(await refused(`${name}[id]=1`)).toHaveProperty([name]);
    });

    it('can be filtered and sorted only by fields that it shows', async () => {
      // All columns of its own service, and columns of other services that contain secrets.
      const columns = await system.rows(
        resource.service,
        `select distinct column_name as name from information_schema.columns
         where table_schema = $1 or table_schema = any($2) and column_name ~ $3`,
        [schemaOf(resource.service), Object.keys(system.services).map(schemaOf), isSecret.source],
      );
      const hidden = columns.map(({ name }) => String(name)).filter((name) => !(name in resource.view.shape));
      expect(hidden).toEqual(expect.arrayContaining(['version', 'token_hash', 'password_hash']));
      const isParameter = (one: string) =>
        resource.parents.includes(one) || narrowing.includes(`${resource.name}.${one}`);
      const names = hidden.filter((one) => !isParameter(one));
      const asked = async (parameter: (name: string) => string) =>
        Object.keys(await refused(names.map((name) => `${parameter(name)}=1`).join('&'))).sort();
      expect(await asked((name) => name)).toEqual(names.toSorted());
      expect(await asked((name) => `${name}[$ne]`)).toEqual(names.toSorted());
      expect(await asked((name) => `$sort[${name}]`)).toEqual(names.map((name) => `$sort.${name}`).sort());
      // Secrets always, the others in turns: a request can name only one of them.
      const selected = names.filter((name, index) => isSecret.test(name) || (index + seed) % 8 === 0);
      for (const name of [...selected, 'constructor', 'toString']) {
        expect(await refused(`$select=${name}`), name).toHaveProperty(['$select']);
      }
      for (const name of ['constructor', 'toString']) {
        for (const query of [`${name}=1`, `${name}[$ne]=1`, `$sort[${name}]=1`]) await refused(query);
      }
    });

    it('rejects invalid values by the field', async () => {
      const most = Math.max(...Object.values(wrong).map(({ length }) => length));
      for (let turn = 0; turn < most; turn++) {
        const asked = [...kinds].map(
          ([field, kind]) => [field, wrong[kind][turn % wrong[kind].length]] as const,
        );
        const query = (parameter: (field: string) => string) =>
          asked.map(([field, value]) => `${parameter(field)}=${encodeURIComponent(value ?? '')}`).join('&');
        const named = async (parameter: (field: string) => string) =>
          Object.keys(await refused(query(parameter))).sort();
        expect(
          await named((field) => field),
          query((field) => field),
        ).toEqual(fields.toSorted());
        expect(await named((field) => `${field}[$gt]`)).toEqual(fields.map((field) => `${field}.$gt`).sort());
      }
      const text = fields.find((field) => kinds.get(field) === 'text');
      if (text) expect(Object.keys(await refused(`${text}=${'x'.repeat(3000)}`))).toEqual([text]);
      const numbers = fields.filter((field) => kinds.get(field) !== 'text');
      const patterns = await refused(numbers.map((field) => `${field}[$like]=%251%25`).join('&'));
      expect(Object.keys(patterns).sort()).toEqual(numbers.map((field) => `${field}.$like`).sort());
    });

    it('finds a record by the longest value that each of its fields can have', async () => {
      const texts = writableFields(source.create).filter(({ kind }) => kind === 'text');
      for (const { shownAs, most } of texts.filter(({ shownAs }) => kinds.has(shownAs))) {
        const value = '🏡'.repeat(Math.min(most, 2000));
        const { status } = await anna.api.get(`${list}?${shownAs}=${encodeURIComponent(value)}`);
        expect(status, shownAs).toBe(200);
      }
    });

    it.each(switchesOf(resource))(
      'accepts %s in addition to the fields, and shows no less with it',
      async (name) => {
        for (const value of ['true', 'false', '1', '0']) {
          expect((await ask(`${name}=${value}&$limit=1000`)).data).toEqual(records);
        }
        for (const value of ['x', '', '2', 'null']) {
          expect(Object.keys(await refused(`${name}=${value}`)), value).toEqual([name]);
        }
        expect(Object.keys(await refused(`${name}[$ne]=true`))).toEqual([name]);
        expect(await refused(`$sort[${name}]=1`)).toHaveProperty([`$sort.${name}`]);
      },
    );

    it('accepts the limits of time without failing', async () => {
      const moments = fields.filter((field) => ['instant', 'localTime'].includes(kinds.get(field) ?? ''));
      const limits = ['0000-01-01', '0001-01-01T00:00:00%2B23:59', '9999-12-31T23:59:59-23:59', '9999-12-31'];
      // Two for each field, in another run perhaps the other two.
      for (const [index, field] of moments.entries()) {
        for (const value of limits.filter((_, nth) => (index + nth + seed) % 2)) {
          const { status } = await anna.api.get(`${list}?${field}[$gt]=${value}`);
          expect([200, 400], `${field}[$gt]=${value}`).toContain(status);
        }
      }
    });
  });
});

const isSecret = /hash|token|secret|password|salt/;

const schemaOf = (service: string): string => service.replaceAll('-', '_');

/** Three pages of records, with distinct values in unique fields. */
function draftsOf(resource: Complete): readonly Json[] {
  const keys = writableFields(resource.create).filter(({ distinct }) => distinct);
  const drafts = fc.sample(draftOf(resource), { numRuns: 400, seed });
  const known = Map.groupBy(drafts.entries(), ([index, draft]) =>
    keys.length === 0 ? index : JSON.stringify(keys.map(({ name }) => String(draft[name]).toLowerCase())),
  );
  return [...known.values()].flatMap(([first]) => (first ? [first[1]] : [])).slice(0, 24);
}

/** Few different values, so that some records share a value and some have none. */
function draftOf(resource: Complete): fc.Arbitrary<Json> {
  const fields = writableFields(resource.create).flatMap((field) => {
    const value = draftValue(field);
    if (!value || field.dependent) return [];
    return [[field.name, field.nullable ? fc.option(value, { nil: null, freq: 4 }) : value] as const];
  });
  return fc.record(Object.fromEntries(fields));
}

function draftValue({ kind, choices, pattern, least, takes }: Field): fc.Arbitrary<unknown> | undefined {
  switch (kind) {
    case 'text':
      return shortText.filter(takes);
    case 'choice':
      return fc.constantFrom(...choices);
    case 'pattern':
      return pattern && fc.constantFrom(...fc.sample(fc.stringMatching(pattern), { numRuns: 4, seed }));
    case 'integer':
      return fc.integer({ min: Math.max(-2, least), max: 5 });
    case 'number':
      return fc.integer({ min: -4, max: 8 }).map((value) => value / 4);
    case 'boolean':
      return fc.boolean();
    case 'zone':
      return fc.constantFrom('America/Denver', 'Asia/Kolkata');
    case 'instant':
      return fc.constantFrom(
        '2026-01-02T00:00:00.000Z',
        '2026-01-05T12:00:00.500Z',
        '2025-12-31T23:59:59.999Z',
      );
    default:
      return undefined;
  }
}

const wrong = {
  text: ['a\u0000b'],
  integer: ['x', '1.5', '0x10', '１', '99999999999999999999'],
  number: ['x', '0x10', '1e400'],
  boolean: ['x', '2'],
  instant: ['x', '2026-02-30', '1767225600000', '+012026-01-01T00:00:00Z'],
  localTime: ['x', '2026-02-30', '1767225600000', '+012026-01-01T00:00:00'],
  duration: ['x', '26:30', '26:60:00', '-01:00:00', '86400'],
} as const;
