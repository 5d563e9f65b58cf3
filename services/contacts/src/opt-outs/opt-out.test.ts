import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const { optOuts } = contacts.asSystem;
const nine = '2026-03-01T09:00:00.000Z';
const ten = '2026-03-01T10:00:00.000Z';

describe('a number that opted out', () => {
  it('is known among others until texts are asked for again', async () => {
    const [number, other] = ['+16045550001', '+16045550002'];
    await optOuts.add({ number, at: nine });
    expect(await optOuts.among({ numbers: [other, number] })).toEqual([number]);
    await optOuts.remove({ number, at: ten });
    expect(await optOuts.among({ numbers: [other, number] })).toEqual([]);
  });

  it('is what was said last, in whatever order and however often it is heard', async () => {
    const number = '+16045550003';
    await optOuts.remove({ number, at: ten });
    await optOuts.add({ number, at: nine });
    expect(await optOuts.among({ numbers: [number] })).toEqual([]);
    await optOuts.add({ number, at: '2026-03-01T11:00:00.000Z' });
    await optOuts.remove({ number, at: ten });
    expect(await optOuts.among({ numbers: [number] })).toEqual([number]);
  });

  it('is nothing a user may ask about or change', async () => {
    const { optOuts: asked } = contacts.as(someone());
    const said = { number: '+16045550004', at: nine };
    for (const asking of [
      () => asked.add(said),
      () => asked.remove(said),
      () => asked.among({ numbers: [] }),
    ])
      await expect(asking()).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await optOuts.among({ numbers: [said.number] })).toEqual([]);
  });

  it('is given in E.164, so that it is compared with what was meant', async () => {
    await expect(optOuts.add({ number: '604-555-0005', at: nine })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { number: 'must be a phone number in E.164' },
    });
  });
});
