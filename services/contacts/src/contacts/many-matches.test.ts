import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

/** More contacts than a list with conditions keeps to make its page of them. */
const count = 50_100;

describe('a list with conditions that nearly all contacts meet', () => {
  it('has the total and the page of all, however many there are', async () => {
    const [anna, ben] = [someone(), someone()];
    // In portions, because a statement has five seconds.
    for (let from = 1; from <= count; from += 5_000)
      await contacts.rows(
        `insert into contacts (owner_user_id, assigned_user_id, shared_user_ids, first_name, company, created_at, modified_at)
         select case when i % 1000 = 0 then $4::int else $1::int end, case when i % 2000 = 0 then $1::int end,
           case when i % 1000 = 0 then array[$1::int] else '{}' end, 'F' || i, case when i % 5000 = 1 then 'Coast' end,
           now(), timestamptz '2026-01-01' + i % 7 * interval '1 day'
         from generate_series($2::int, least($2::int + 4999, $3::int)) i`,
        [anna.id, from, count, ben.id],
      );
    const { find } = contacts.as(anna).contacts;
    const ofAll = await find({ $limit: 1 });
    expect(ofAll.total).toBe(count);
    const query = { company: { $ne: 'Coast' }, $sort: { modified_at: -1 }, $limit: 20 } as const;
    const page = await find({ ...query, $skip: 5 });
    expect(page.total).toBe(count - 11);
    const sorted = await contacts.rows(
      `select id from contacts where company is null order by modified_at desc, id desc limit 20 offset 5`,
    );
    expect(page.data.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
    const first = await find({ ...query, $after: '' });
    const second = await find({ ...query, $after: first.next ?? '' });
    expect([first, second].flatMap(({ data }) => data.map(({ id }) => id)).slice(5, 25)).toEqual(
      page.data.map(({ id }) => id),
    );
  });
});
