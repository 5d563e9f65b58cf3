import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const { optOuts } = contacts.asSystem;
const nine = '2026-03-01T09:00:00.000Z';
const ten = '2026-03-01T10:00:00.000Z';

describe('a number that opted out', () => {
  it('is found among others until texts are requested again', async () => {
    const [number, other] = ['+16045550001', '+16045550002'];
    await optOuts.add({ number, at: nine });
    expect(await optOuts.among({ numbers: [other, number] })).toEqual([number]);
    await optOuts.remove({ number, at: ten });
    expect(await optOuts.among({ numbers: [other, number] })).toEqual([]);
  });

  it('follows the latest request, in whatever order and however often requests arrive', async () => {
    const number = '+16045550003';
    await optOuts.remove({ number, at: ten });
    await optOuts.add({ number, at: nine });
    expect(await optOuts.among({ numbers: [number] })).toEqual([]);
    await optOuts.add({ number, at: '2026-03-01T11:00:00.000Z' });
    await optOuts.remove({ number, at: ten });
    expect(await optOuts.among({ numbers: [number] })).toEqual([number]);
  });

  it('cannot be read or changed by users', async () => {
    const { optOuts: asUser } = contacts.as(someone());
    const request = { number: '+16045550004', at: nine };
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
