import { describe, expect, it } from 'vitest';
import { newRecord } from './contract/records.ts';
import { creatable } from './contract/resources.ts';
import { type System, shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))(
  '%s: a system that another test file used',
  { timeout: 60_000 },
  (shape) => {
    async function used(system: System) {
      const person = await system.person({ is_broker: true });
      for (const resource of creatable) await newRecord(person, resource);
      return person;
    }

    it('is the same one without the data of that file', async () => {
      const first = await startSystem(shape);
      const empty = await first.contents();
      const person = await used(first);
      expect(await first.contents()).not.toEqual(empty);
      await first.stop();
      const second = await startSystem(shape);
      expect(second.url).toBe(first.url);
      expect(await second.contents()).toEqual(empty);
      expect((await second.as(person.token).get('/me')).status).toBe(401);
      await second.stop();
    });

    it('holds no data of a file that did not stop it because all its tests were skipped', async () => {
      const first = await startSystem(shape);
      const empty = await first.contents();
      await used(first);
      const second = await startSystem(shape);
      expect(await second.contents()).toEqual(empty);
      await second.stop();
    });
  },
);
