import { openTransaction, someone, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const changes = {
  tags: { before: 'Free', first: { tags: 'Anna' }, second: { tags: 'Ben' } },
  company: { before: 'Free', first: { company: 'Anna' }, second: { company: 'Ben' } },
};

describe('concurrent changes of a contact with a condition', () => {
  it.each(['tags', 'company'] as const)('succeed once, with a condition on %s', async (field) => {
    const { before, first, second } = changes[field];
    const api = contacts.as(someone()).contacts;
    const { id } = await api.create({ [field]: before });
    await using held = await openTransaction(
      contacts.database,
      'select from contacts where id = $1 for update',
      [id],
    );
    const change = (changed: object) => api.patch({ id, ...changed, $where: { [field]: before } });
    const asked = [change(first), change(second)];
    await untilWaiting(contacts.rows, asked);
    await held.rollback();
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))).toMatchObject([
      { name: 'NotFound' },
    ]);
    const [made] = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value[field]] : []));
    expect(await api.get({ id })).toMatchObject({ [field]: made });
  });
});
