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
  it('is found among others until texts are requested again', async () => {
    const [number, other] = ['+16045550001', '+16045550002'];
    await optOuts.add({ number, at: nine });
    expect(await optOuts.among({ numbers: [other, number] })).toEqual([number]);
    await optOuts.remove({ number, at: ten });
    expect(await optOuts.among({ numbers: [other, number] })).toEqual([]);
  });

  it.each([
    { words: ['STOP', 'START', 'STOP'], isOptedOut: true },
    { words: ['START', 'STOP', 'START'], isOptedOut: false },
  ])('follows the latest of $words, in whatever order and however often they arrive', async (said) => {
    const at = [nine, ten, eleven];
    for (const [index, order] of ['012', '021', '102', '120', '201', '210'].entries()) {
      const number = `+1604555${said.isOptedOut ? 1 : 2}00${index}`;
      for (const place of [...order, ...order].map(Number)) {
        const apply = said.words[place] === 'STOP' ? optOuts.add : optOuts.remove;
        await apply({ number, at: at[place] ?? nine });
      }
      expect(await optOuts.among({ numbers: [number] }), order).toEqual(said.isOptedOut ? [number] : []);
    }
  });

  it('stays opted out when an earlier STOP arrives after a START that was older than the last STOP', async () => {
    const number = '+16045550003';
    await optOuts.add({ number, at: eleven });
    await optOuts.remove({ number, at: ten });
    await optOuts.add({ number, at: nine });
    expect(await optOuts.among({ numbers: [number] })).toEqual([number]);
  });

  it('is left alone after STOP also when texts do not reach it later, until START', async () => {
    const numbers = ['+16045550011', '+16045550012', '+16045550013'];
    const [stopped = '', bounced = '', again = ''] = numbers;
    const asked = async () => (await optOuts.askedToBeLeftAlone({ numbers })).map(({ number }) => number);
    for (const number of [stopped, again]) await optOuts.add({ number, at: nine });
    await optOuts.remove({ number: again, at: ten });
    for (const number of numbers) await optOuts.add({ number, at: eleven, source: 'Bounce' });
    expect(await asked()).toEqual([stopped]);
    await optOuts.add({ number: bounced, at: '2026-03-01T12:00:00.000Z' });
    expect(await asked()).toEqual([stopped, bounced]);
  });

  it('is left alone after STOP also if that is known only after texts have not reached it', async () => {
    const number = '+16045550014';
    await optOuts.add({ number, at: ten, source: 'Bounce' });
    await optOuts.add({ number, at: nine });
    expect(await optOuts.askedToBeLeftAlone({ numbers: [number] })).toMatchObject([{ number }]);
  });

  it('may be called after a bounce also if a START from before becomes known later', async () => {
    const [number, other] = ['+16045550015', '+16045550016'];
    const source = async () =>
      (await contacts.rows('select source from opt_outs where destination = $1', [number]))[0]?.source;
    await optOuts.add({ number, at: ten, source: 'Bounce' });
    await optOuts.remove({ number, at: nine });
    expect(await optOuts.among({ numbers: [number] })).toEqual([number]);
    expect(await optOuts.askedToBeLeftAlone({ numbers: [number] })).toEqual([]);
    expect(await source()).toBe('Bounce');
    await optOuts.remove({ number, at: eleven });
    expect(await source()).toBe('Reply');
    await optOuts.remove({ number: other, at: ten });
    await optOuts.add({ number: other, at: nine, source: 'Bounce' });
    await optOuts.add({ number: other, at: eleven });
    expect(await optOuts.askedToBeLeftAlone({ numbers: [other] })).toMatchObject([{ number: other }]);
  });

  it('is opted out when STOP and START have the same time', async () => {
    const number = '+16045550004';
    await optOuts.add({ number, at: nine });
    await optOuts.remove({ number, at: nine });
    expect(await optOuts.among({ numbers: [number] })).toEqual([number]);
  });

  it('is published with the contacts that have it, once for each change', async () => {
    const number = '+16045550006';
    const { id } = await contacts.as(someone()).contacts.create({ mobile_phone: number });
    const before = (await contacts.published()).length;
    for (const at of [ten, ten, nine]) await optOuts.add({ number, at });
    for (const at of [eleven, eleven]) await optOuts.remove({ number, at });
    const events = (await contacts.published()).slice(before);
    expect(events.map(({ type, aggregateversion }) => [type, aggregateversion])).toEqual([
      ['crm.contacts.opt-out.changed', 1],
      ['crm.contacts.opt-out.changed', 2],
    ]);
    for (const { data } of events) expect(data).toMatchObject({ contact_ids: [id] });
  });

  it('cannot be read or changed by users', async () => {
    const { optOuts: asUser } = contacts.as(someone());
    const request = { number: '+16045550005', at: nine };
    for (const attempt of [
      () => asUser.add(request),
      () => asUser.remove(request),
      () => asUser.among({ numbers: [] }),
    ])
      await expect(attempt()).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await optOuts.among({ numbers: [request.number] })).toEqual([]);
  });

  it('must be in E.164, so that numbers can be compared', async () => {
    await expect(optOuts.add({ number: '604-555-0005', at: nine })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { number: 'must be a phone number in E.164' },
    });
  });
});
