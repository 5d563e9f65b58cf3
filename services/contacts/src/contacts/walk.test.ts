import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

/** Contacts that a user owns, is assigned, is shown and sees through a team, some for several of these reasons. */
async function contactsOfAllReasons() {
  const [ben, stranger] = [someone(), someone()];
  const anna = someone({ teammate_ids: [ben.id], sharing_teammate_ids: [ben.id] });
  await contacts.rows(
    `insert into contacts (owner_user_id, assigned_user_id, shared_user_ids, first_name, created_at, modified_at, last_activity_at)
     select case i % 4 when 0 then $1::int when 1 then $2::int else $3::int end,
       case when i % 6 = 2 then $1::int end, case when i % 5 = 0 then array[$1::int] else '{}' end,
       'Name ' || i % 7, timestamptz '2026-01-01' + i % 9 * interval '1 day', timestamptz '2026-01-01 00:00:00.123456',
       case when i % 3 = 0 then timestamptz '2026-01-01' + i % 4 * interval '1 ms' end
     from generate_series(1, 60) i`,
    [anna.id, ben.id, stranger.id],
  );
  return contacts.as(anna).contacts;
}

describe('contacts that a user sees for any reason', () => {
  it.each([
    {},
    { $sort: { id: -1 } },
    { $sort: { modified_at: -1 } },
    { $sort: { created_at: -1 } },
    { $sort: { last_activity_at: 1 } },
    { $sort: { last_activity_at: -1, created_at: 1 } },
    { $sort: { first_name: 1, owner_user_id: -1 }, created_at: { $gt: '2026-01-03' } },
    { $sort: { assigned_user_id: -1, last_activity_at: -1 } },
    { first_name: { $in: ['Name 1', 'Name 2', 'Name 3', 'Name 4', 'Name 5'] } },
    { first_name: { $ne: 'Name 1' }, $or: [{ first_name: 'Name 2' }, { company: null }] },
    {
      $or: [{ first_name: { $in: ['Name 1', 'Name 2', 'Name 3', 'Name 4'] } }, { first_name: 'Name 5' }],
      $sort: { last_activity_at: -1 },
    },
    { $search: 'name' },
    { $search: 'name', $sort: { first_name: -1 } },
  ] as const)('are the same when they are read by cursor: %j', async (asked) => {
    const seen = await contactsOfAllReasons();
    const whole = await seen.find({ ...asked, $limit: 100 });
    expect(whole.total).toBeGreaterThan(20);
    const ids: number[] = [];
    for (let $after: string | null = ''; $after !== null; ) {
      const page: Awaited<ReturnType<typeof seen.find>> = await seen.find({ ...asked, $limit: 4, $after });
      expect(page.total).toBe(whole.total);
      ids.push(...page.data.map(({ id }) => id));
      $after = page.next ?? null;
    }
    expect(ids).toEqual(whole.data.map(({ id }) => id));
  });
});
