import { suggestion } from '@crm/contract';
import { absent } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Field,
  faithfulValues,
  otherSpellings,
  valueNumbered,
  writableFields,
  wrongValues,
} from './contract/fields.ts';
import { inShape } from './contract/in-shape.ts';
import { checkedLast, demanded, fixed, onceOnly, replaced, untouched } from './contract/known.ts';
import {
  changesOf,
  fullDraft,
  idFor,
  leastDraft,
  type Made,
  newRecord,
  newRecordBelow,
  next,
} from './contract/records.ts';
import { type Complete, creatable, kindsOf } from './contract/resources.ts';
import type { Answer, Json } from './system/api.ts';
import { shapes, startSystem } from './system.ts';

const strict = { prefer: 'handling=strict' };

describe.each(shapes)('%s: fields of', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const [anna, stranger] = [
    await system.person({ is_broker: true }),
    await system.person({ is_broker: true }),
  ];

  describe.each(inShape(shape, creatable))('$name', (resource) => {
    const fields = writableFields(resource.create);
    const changes = resource.patch ? writableFields(resource.patch) : [];
    const changeable = new Set(changes.map(({ name }) => name));
    const simple = fields.filter(
      ({ kind, dependent }) => kind !== 'reference' && kind !== 'nested' && !dependent,
    );
    let made: Made;
    /** What all records of the user may refer to. Created once, so that most requests write only what is tested. */
    let shared: Json;

    beforeAll(async () => {
      made = await newRecord(anna, resource);
      const references = fields.filter(
        ({ kind, required, target }) => kind === 'reference' && required && !onceOnly.includes(target ?? ''),
      );
      const ids = await Promise.all(references.map(async (field) => [field.name, await idFor(anna, field)]));
      shared = Object.fromEntries(ids);
    });

    const newDraft = (draft: Json = {}) => leastDraft(anna, resource, { ...shared, ...draft });
    /** Another record of the user, with the same parents. */
    const another = async (draft: Json = {}) =>
      newRecordBelow(anna, resource, made.parameters, { ...shared, ...draft });

    const create = async (draft: Json | string, headers = {}) =>
      anna.api.post(
        made.collection,
        typeof draft === 'string' ? draft : { ...fixed[resource.name], ...(await newDraft(draft)) },
        headers,
      );
    /** Creates the parents once, so that a request writes nothing but its own record. */
    const createOver = async () => {
      const needed = { ...fixed[resource.name], ...(await newDraft()) };
      return (draft: Json) => anna.api.post(made.collection, { ...needed, ...draft });
    };
    const patch = async (draft: Json | string, headers = {}) => {
      if (typeof draft === 'string') return anna.api.patch(made.path, draft, headers);
      const record = replaced.includes(resource.name) ? await read() : {};
      return anna.api.patch(made.path, changesOf(resource, record, draft), headers);
    };
    const writes = [
      { send: create, names: fields.map(({ name }) => name) },
      ...(resource.patch ? [{ send: patch, names: [...changeable] }] : []),
    ];
    const read = async (id: unknown = made.id) => (await anna.api.get(`${made.collection}/${id}`)).body;

    /** Fields with their values, turn by turn: all together, but alone those that decide on others, and aliases. */
    const turnsOf = <Value>(valuesOf: (field: Field) => readonly Value[]) => {
      const isAlone = ({ name, shownAs }: Field) => name !== shownAs || name in (fixed[resource.name] ?? {});
      const others = simple.filter((field) => !isAlone(field));
      const most = Math.max(0, ...others.map((field) => valuesOf(field).length));
      const together = Array.from({ length: most }, (_, turn) =>
        others.flatMap((field) =>
          valuesOf(field)
            .slice(turn, turn + 1)
            .map((value) => [field, value] as const),
        ),
      );
      const alone = simple
        .filter(isAlone)
        .flatMap((field) => valuesOf(field).map((value) => [[field, value] as const]));
      return [...together, ...alone];
    };

    it('are returned as they were sent', async () => {
      for (const field of simple) expect(faithfulValues(field), field.name).not.toEqual([]);
      for (const turn of turnsOf(faithfulValues)) {
        const [draft, shown] = [sentIn(turn), shownIn(turn)];
        const { status, body } = await create(draft);
        expect(status, JSON.stringify([draft, body])).toBe(201);
        expect(body).toMatchObject(shown);
        expect(await read(body.id)).toEqual(body);
        const changes = turn.filter(([{ name }]) => changeable.has(name));
        if (changes.length === 0) continue;
        // A value may be unique, so this record has to be removed first.
        if (resource.remove) await anna.api.delete(`${made.collection}/${body.id}`);
        const patched = await patch({ ...fixed[resource.name], ...sentIn(changes) });
        expect(patched.body, JSON.stringify(changes)).toMatchObject(shownIn(changes));
        expect(await read()).toMatchObject(shownIn(changes));
      }
    });

    it('accept the other spellings that clients use', async () => {
      for (const turn of turnsOf(otherSpellings)) {
        const { status, body } = await create(sentIn(turn.map(([field, [sent]]) => [field, sent])));
        expect(status, JSON.stringify([turn, body])).toBe(201);
        const meant = shownIn(turn.map(([field, [, meant]]) => [field, meant]));
        expect(body).toMatchObject(meant);
        expect(await read(body.id)).toMatchObject(meant);
      }
    });

    if (resource.patch && !replaced.includes(resource.name))
      it('stay unchanged if a change leaves them out', async () => {
        const { body, path } = await another(await fullDraft(anna, resource, shared));
        const changed = await anna.api.patch(path, {});
        expect(changed.status).toBe(200);
        expect(untouched(changed.body)).toEqual(untouched(body));
      });

    const clearable = simple.filter(({ name, nullable }) => nullable && changeable.has(name));
    if (clearable.length > 0)
      it('are cleared by null, each alone and all together', async () => {
        let { path, body } = await another(await fullDraft(anna, resource, shared));
        for (const field of clearable) {
          const { name, shownAs } = field;
          // Another name of the field has cleared it already.
          if (body[shownAs] === null)
            ({ body } = await anna.api.patch(
              path,
              changesOf(resource, body, { [name]: valueNumbered(field, next()) }),
            ));
          expect(body[shownAs], name).not.toBeNull();
          const answer = await anna.api.patch(path, changesOf(resource, body, { [name]: null }));
          expect(untouched(answer.body), name).toEqual({ ...untouched(body), [shownAs]: null });
          expect((await anna.api.get(path)).body, name).toEqual(answer.body);
          ({ body } = answer);
        }
        const nothing = Object.fromEntries(clearable.map(({ name }) => [name, null]));
        const created = await create(nothing);
        for (const { shownAs } of clearable) expect(created.body[shownAs], shownAs).toBeNull();
      });

    it.each(simple.filter(({ name, shownAs }) => shownAs !== name))(
      '$name are overridden by the name that they are shown under',
      async (field) => {
        const { name, shownAs } = field;
        for (const { send } of writes) {
          const current = (await read())[shownAs];
          const changed = Array.from({ length: 3 }, () => valueNumbered(field, next()));
          const [given, other] = changed.filter((value) => value !== current);
          expect((await send({ [name]: other, [shownAs]: given })).body[shownAs]).toBe(given);
        }
      },
    );

    it.each(simple.filter(({ distinct }) => distinct))('$name are unique per user', async (field) => {
      const { name } = field;
      const value = valueNumbered(field, next());
      const { id, body } = await another({ [name]: value });
      expect(await create({ [name]: value })).toMatchObject(
        field.distinct === 'found' ? { status: 201, body } : { status: 409, body: { name: 'Conflict' } },
      );
      const theirs = await newRecord(stranger, resource, { [name]: value });
      expect(theirs.id).not.toBe(id);
      const before = await system.contents();
      const taken = await patch({ [name]: value });
      expect(taken).toMatchObject({ status: 409, body: { name: 'Conflict' } });
      expect(Object.keys(taken.body.errors as Json)).toEqual([name]);
      expect(await system.contents()).toEqual(before);
    });

    const moments = simple.filter(({ kind }) => kind === 'instant');
    describe.each(moments)('$name', ({ name }) => {
      it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59'])(
        'are either kept or rejected at the limits of time: %s',
        async (sent) => {
          const answer = await create({ [name]: sent });
          if (answer.status === 201) expect(answer.body[name]).toBe(new Date(sent).toISOString());
          else refusedFor([name], answer, sent);
        },
      );
    });

    const counting = fields.filter(({ ignored }) => !ignored);
    describe.each(counting)('$name', (field) => {
      const { name } = field;

      it('are reported by name if one is invalid, and nothing is written', async () => {
        const { values, raw } = wrongValues(field);
        const texts = values.map((value) => JSON.stringify(value));
        // The others are sent together with those of other fields.
        const alone = checkedLast.includes(`${resource.name}.${name}`) ? texts : texts.slice(0, 1);
        // A number that JSON cannot hold is reported before anything else, so fields take turns.
        const tooLarge = raw.filter((_, index) => index === fields.indexOf(field) % raw.length);
        const draft = await newDraft();
        const before = await system.contents();
        for (const value of [...alone, ...tooLarge]) {
          const body = textOf(draft, [[name, value]]);
          refusedFor([name], await create(body), `POST ${body}`);
          if (changeable.has(name)) refusedFor([name], await patch(body), `PATCH ${body}`);
        }
        expect(await system.contents()).toEqual(before);
      });

      if (field.required)
        it('are required', async () => {
          const { [name]: _, ...rest } = await newDraft();
          refusedFor([name], await anna.api.post(made.collection, rest), 'absent');
        });
    });

    const references = fields.filter(({ kind, dependent }) => kind === 'reference' && !dependent);
    describe.each(references)('$name', (field) => {
      const { name, nullable, target, tolerated } = field;

      it('accept the id of a record that the caller may use', async () => {
        const id = await idFor(anna, field);
        for (const sent of [id, String(id)]) {
          const { body } = await create({ [name]: sent });
          expect([body[name], (await read(body.id))[name]]).toEqual([id, id]);
          if (onceOnly.includes(target ?? '')) break; // It cannot be used twice.
          if (changeable.has(name)) expect((await patch({ [name]: sent })).body[name]).toBe(id);
        }
      });

      if (changeable.has(name) && nullable)
        it.each([0, '0', '', null])('are cleared by %j', async (none) => {
          const { path, body } = await another({ [name]: await idFor(anna, field) });
          const answer = await anna.api.patch(path, changesOf(resource, body, { [name]: none }));
          expect(answer.body[name]).toBeNull();
          expect((await anna.api.get(path)).body[name]).toBeNull();
          expect((await create({ [name]: none })).body[name]).toBeNull();
        });

      // An account has no owner.
      if (target !== 'someone' && !tolerated)
        it('reject the record of another user with the error for one that does not exist', async () => {
          const foreign = await idFor(stranger, field);
          const sends = [await createOver(), ...(changeable.has(name) ? [patch] : [])];
          const before = await system.contents();
          for (const send of sends) {
            const [one, other] = [await send({ [name]: foreign }), await send({ [name]: absent })];
            refusedFor([name], one, 'foreign');
            expect(wordsOf(one, foreign)).toEqual(wordsOf(other, absent));
          }
          expect(await system.contents()).toEqual(before);
        });
    });

    it('are reported together, whatever is invalid in them, and nothing is written', async () => {
      const wrong = new Map(
        counting
          .filter(({ name }) => !checkedLast.includes(`${resource.name}.${name}`))
          .map(
            (field) => [field.name, wrongValues(field).values.map((value) => JSON.stringify(value))] as const,
          ),
      );
      const draft = await newDraft();
      const before = await system.contents();
      for (let turn = 0; turn < Math.max(...[...wrong.values()].map(({ length }) => length)); turn++) {
        for (const { send, names } of writes) {
          const values = names.flatMap((name) => {
            const value = wrong.get(name)?.[turn];
            return value === undefined ? [] : [[name, value] as const];
          });
          if (values.length === 0) continue;
          const body = textOf(draft, values);
          refusedFor(
            values.map(([name]) => name),
            await send(body),
            body,
          );
        }
      }
      expect(await system.contents()).toEqual(before);
    });

    it('that are read-only are ignored', async () => {
      const foreign = readOnly(resource, fields);
      const settled = { ...(await fullDraft(anna, resource, shared)), ...readOnly(resource, changes) };
      for (const name of changeable) delete settled[name];
      const created = await create({
        ...(await fullDraft(anna, resource, shared)),
        ...foreign,
        nonsense: { deep: [1] },
      });
      expect(created.status).toBe(201);
      for (const [name, value] of Object.entries(foreign)) expect(created.body[name]).not.toEqual(value);
      if (!resource.patch) return;
      const before = await read();
      const { status, body } = await patch({ ...settled, nonsense: 'x' });
      expect(status).toBe(200);
      expect(untouched(body)).toEqual(untouched(before));
    });

    if (resource.patch)
      it('can be sent back as they were returned', async () => {
        const { path, body } = await another(await fullDraft(anna, resource, shared));
        const { status, body: echoed } = await anna.api.patch(path, body);
        expect(status, JSON.stringify(echoed)).toBe(200);
        expect(untouched(echoed)).toEqual(untouched(body));
      });

    it('that are read-only are rejected by name in strict mode', async () => {
      const foreign = { ...readOnly(resource, fields), nonsense: 1 };
      const least = await newDraft();
      const before = await system.contents();
      for (const [name, value] of Object.entries(foreign)) {
        const created = await anna.api.post(made.collection, { ...least, [name]: value }, strict);
        refusedFor([name], created, `POST ${name}`);
      }
      if (resource.patch) {
        const settled = { ...least, ...readOnly(resource, changes), nonsense: 1 };
        for (const [name, value] of Object.entries(settled).filter(([name]) => !changeable.has(name))) {
          refusedFor([name], await patch({ [name]: value }, strict), `PATCH ${name}`);
        }
      }
      expect(await system.contents()).toEqual(before);
    });

    it('that are misspelled are rejected in strict mode with a suggestion', async () => {
      for (const { send, names } of writes) {
        for (const name of names.filter((one) => one.length > 3)) {
          const typo = `${name.slice(0, 2)}${name.slice(3)}`;
          const { body } = await send({ [typo]: 'x' }, strict);
          expect((body.errors as Json)[typo]).toBe(
            `Field "${typo}" cannot be written.${suggestion(typo, names)}`,
          );
        }
      }
    });

    it('that are valid are accepted in strict mode', async () => {
      const draft = await fullDraft(anna, resource, shared);
      const created = await create(draft, strict);
      expect(created).toMatchObject({ status: 201, headers: { 'preference-applied': 'handling=strict' } });
      expect(created.body).toMatchObject(draft);
      if (!resource.patch) return;
      const changed = Object.fromEntries(Object.entries(draft).filter(([name]) => changeable.has(name)));
      // Unique values must not collide.
      await anna.api.delete(`${made.collection}/${created.body.id}`);
      const answer = await patch(changed, strict);
      expect(answer).toMatchObject({ status: 200, headers: { 'preference-applied': 'handling=strict' } });
      expect(answer.body).toMatchObject(changed);
    });

    it('are all returned, with null for those that were not sent', async () => {
      const { body } = await another();
      expect(Object.keys(body).sort()).toEqual(Object.keys(resource.shown.shape).sort());
      const required = new Set([
        ...fields.filter((field) => field.required).map(({ name }) => name),
        ...Object.keys(demanded[resource.name]?.(0) ?? {}),
      ]);
      for (const { shownAs } of fields.filter(({ name, nullable }) => nullable && !required.has(name))) {
        expect(body[shownAs], shownAs).toBeNull();
      }
    });
  });
});

type Turn = readonly (readonly [field: Field, value: unknown])[];

const sentIn = (turn: Turn): Json => Object.fromEntries(turn.map(([{ name }, value]) => [name, value]));
const shownIn = (turn: Turn): Json =>
  Object.fromEntries(turn.map(([{ shownAs }, value]) => [shownAs, value]));

/** A body in which some fields have other values, which are given as JSON. */
function textOf(draft: Json, values: readonly (readonly [name: string, text: string])[]): string {
  const others = new Set(values.map(([name]) => name));
  const kept = Object.entries(draft).filter(([name]) => !others.has(name));
  const texts = kept.map(([name, value]) => [name, JSON.stringify(value)] as const);
  return `{${[...texts, ...values].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`;
}

function refusedFor(names: readonly string[], { status, body }: Answer, what: string) {
  const paths = Object.keys((body.errors ?? {}) as Json).map((path) => path.split('.')[0]);
  const expected = { status: 400, names: names.toSorted() };
  const told = `${what} → ${JSON.stringify(body)}`.slice(0, 2000);
  expect({ status, names: [...new Set(paths)].sort() }, told).toEqual(expected);
  expect(body.name).toBe('BadRequest');
}

const wordsOf = ({ status, body: { message, errors } }: Answer, id: number) =>
  JSON.stringify({ status, message, errors }).replaceAll(`'${id}'`, "'{id}'");

/** A value that no record has, for each read-only field of the view. */
function readOnly(resource: Complete, fields: readonly Field[]): Record<string, unknown> {
  const writable = new Set(fields.map(({ name }) => name));
  const kinds = kindsOf(resource);
  const foreign = Object.keys(resource.shown.shape).filter((name) => !writable.has(name));
  expect(foreign).toContain('id');
  return Object.fromEntries(foreign.map((name) => [name, strangeValue(kinds.get(name))]));
}

function strangeValue(kind: string | undefined): unknown {
  if (kind === 'integer' || kind === 'number') return absent;
  if (kind === 'boolean') return true;
  if (kind === 'instant') return '1999-01-01T00:00:00.000Z';
  return kind === 'text' ? 'strange' : { strange: true };
}
