import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const { optOuts } = contacts.asSystem;
const nine = '2026-03-01T09:00:00.000Z';
const ten = '2026-03-01T10:00:00.000Z';
const eleven = '2026-03-01T11:00:00.000Z';

describe('a number that opted out', () => {
  it('is known among others until texts are asked for again', async () => {
    const [number, other] = ['+16045550001', '+16045550002'];
    await optOuts.add({ number, at: nine });
    expect(await optOuts.among({ numbers: [other, number] })).toEqual([number]);
    await optOuts.remove({ number, at: ten });
    expect(await optOuts.among({ numbers: [other, number] })).toEqual([]);
  });

  it.each([
    { words: ['STOP', 'START', 'STOP'], isOptedOut: true },
    { words: ['START', 'STOP', 'START'], isOptedOut: false },
  ])('is what was said last of $words, in whatever order and however often it is heard', async (said) => {
    const at = [nine, ten, eleven];
    for (const [index, order] of ['012', '021', '102', '120', '201', '210'].entries()) {
      const number = `+1604555${said.isOptedOut ? 1 : 2}00${index}`;
      for (const place of [...order, ...order].map(Number)) {
        const hear = said.words[place] === 'STOP' ? optOuts.add : optOuts.remove;
        await hear({ number, at: at[place] ?? nine });
      }
      expect(await optOuts.among({ numbers: [number] }), order).toEqual(said.isOptedOut ? [number] : []);
    }
  });

  it('is still one when an earlier STOP is heard after a START that came before the last STOP', async () => {
    const number = '+16045550003';
    await optOuts.add({ number, at: eleven });
    await optOuts.remove({ number, at: ten });
    await optOuts.add({ number, at: nine });
    expect(await optOuts.among({ numbers: [number] })).toEqual([number]);
  });

  it('is one when STOP and START were said at the same moment', async () => {
    const number = '+16045550004';
    await optOuts.add({ number, at: nine });
    await optOuts.remove({ number, at: nine });
    expect(await optOuts.among({ numbers: [number] })).toEqual([number]);
  });

  it('is nothing a user may ask about or change', async () => {
    const { optOuts: asked } = contacts.as(someone());
    const said = { number: '+16045550005', at: nine };
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
