import { describe, expect, it } from 'vitest';
import { newRecord } from './contract/records.ts';
import { creatable } from './contract/resources.ts';
import { type System, shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))('%s: a system that another test file used', (shape) => {
  async function used(system: System) {
    const person = await system.person({ is_broker: true });
    for (const resource of creatable) await newRecord(person, resource);
    return person;
  }

  /** What the tables contain, and not which transaction wrote it last. */
  const rowsOf = async (system: System) => {
    const [counts, defaults] = [await system.contents(), 'select * from task_categories order by id'];
    const numbers = Object.entries(counts).map(([table, print]) => [table, Number.parseInt(print, 10)]);
    return [numbers, await system.rows('scheduling', defaults)];
  };

  it('is the same one without the data of that file', async () => {
    const first = await startSystem(shape);
    const empty = await rowsOf(first);
    const person = await used(first);
    expect(await rowsOf(first)).not.toEqual(empty);
    await first.stop();
    const second = await startSystem(shape);
    expect(second.url).toBe(first.url);
    expect(await rowsOf(second)).toEqual(empty);
    expect((await second.as(person.token).get('/me')).status).toBe(401);
    await second.stop();
  });

  it('holds no data of a file that did not stop it because all its tests were skipped', async () => {
    const first = await startSystem(shape);
    const empty = await rowsOf(first);
    await used(first);
    const second = await startSystem(shape);
    expect(await rowsOf(second)).toEqual(empty);
    await second.stop();
  });
});
