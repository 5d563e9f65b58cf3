import { afterAll, describe, expect, it } from 'vitest';
import { type Field, valueNumbered, writableFields } from './contract/fields.ts';
import { inShape } from './contract/in-shape.ts';
import { fixed, onceOnly, untouched } from './contract/known.ts';
import { fullDraft, idFor, leastDraft, newRecord, newRecordBelow, next } from './contract/records.ts';
import { creatable } from './contract/resources.ts';
import type { Json } from './system/api.ts';
import { shapes, startSystem } from './system.ts';

describe.each(shapes)('%s:', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person({ is_broker: true });

  const changeable = inShape(shape, creatable).flatMap((resource) =>
    resource.patch ? [{ ...resource, patch: resource.patch }] : [],
  );
  describe.each(changeable)('a record of $name', (resource) => {
    const fields = writableFields(resource.patch).filter(
      ({ kind, dependent, target }) =>
        kind !== 'nested' && !dependent && !(kind === 'reference' && onceOnly.includes(target ?? '')),
    );

    it('that is sent back with one value changed, under any of its names, changes that value', async () => {
      const draft = await fullDraft(anna, resource);
      const { path, body } = await newRecord(anna, resource, draft);
      let record = body;
      for (const field of fields) {
        const value = await otherValue(field, record);
        const { status, body: changed } = await anna.api.patch(path, {
          ...record,
          ...fixed[resource.name],
          [field.name]: value,
        });
        expect(status, JSON.stringify([field.name, value, changed])).toBe(200);
        expect(changed[field.shownAs], field.name).toEqual(value);
        record = changed;
      }
      expect(untouched((await anna.api.get(path)).body)).toEqual(untouched(record));
    });

    it('cannot have null for a value that every record has', async () => {
      const { path } = await newRecord(anna, resource);
      const never = fields.filter(({ nullable, kind }) => !nullable && kind !== 'reference');
      const notTexts = never.filter(({ kind }) => kind !== 'text');
      for (const [nothing, some] of [
        [null, never],
        ['', notTexts],
      ] as const) {
        const answer = await anna.api.patch(
          path,
          Object.fromEntries(some.map(({ name }) => [name, nothing])),
        );
        if (some.length > 0) expect(answer.status).toBe(400);
        expect(Object.keys((answer.body.errors ?? {}) as Json).sort()).toEqual(
          some.map(({ name }) => name).sort(),
        );
      }
    });

    const otherValue = async (field: Field, record: Json) => {
      if (field.kind === 'reference') return idFor(anna, field);
      const values = [valueNumbered(field, next()), valueNumbered(field, next()), field.least];
      return values.find((value) => value !== record[field.shownAs]);
    };
  });

  describe.each(inShape(shape, creatable))('a new record of $name', (resource) => {
    const optional = writableFields(resource.create).filter(({ required }) => !required);

    it('has the defaults of the values that are sent as null or empty, as of those that are not sent', async () => {
      const first = await newRecord(anna, resource);
      const least = await leastDraft(anna, resource);
      const empty = optional.filter(({ name }) => !(name in least));
      const nothing = Object.fromEntries(empty.map(({ name }) => [name, null]));
      const dates = empty.filter(({ kind }) => kind === 'instant');
      const notTexts = empty.filter(({ kind }) => kind !== 'text' && kind !== 'nested');
      const emptyTexts = Object.fromEntries(notTexts.map(({ name }) => [name, '']));
      const shown = ({ body }: { readonly body: Json }) =>
        Object.fromEntries(
          empty.filter(({ kind }) => kind !== 'instant').map(({ shownAs }) => [shownAs, body[shownAs]]),
        );
      for (const sent of [nothing, { ...nothing, ...emptyTexts }]) {
        const second = await newRecordBelow(anna, resource, first.parameters, {
          ...(await leastDraft(anna, resource)),
          ...sent,
        });
        expect(shown(second)).toEqual(shown(first));
        for (const { name } of dates.filter(({ nullable }) => !nullable))
          expect(Number.isNaN(Date.parse(String(second.body[name]))), name).toBe(false);
      }
    });
  });
});
