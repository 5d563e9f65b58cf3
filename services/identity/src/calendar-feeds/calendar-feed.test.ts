import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest, publicUrl } from '../../test/harness.ts';
import { signedIn, tokenIn } from '../../test/visitor.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { users, calendarFeeds, account } = identity.asSystem;

let people = 0;
async function someUser() {
  people += 1;
  return users.create({ email: `reader${people}@example.com`, timezone: 'Asia/Tokyo' });
}

const form = /^https:\/\/crm\.example\.com\/calendar\/(crm_cf_[0-9A-Za-z]{49})\.ics$/;
const secretIn = (url: string) => form.exec(url)?.[1] ?? '';
const readerAt = (url: string) => calendarFeeds.resolve({ secret: secretIn(url) });

describe('the link to a calendar', () => {
  it('resolves to its user, and is stored as a hash', async () => {
    const { id } = await someUser();
    const { user_id, url } = await calendarFeeds.create({ user: id });
    expect(user_id).toBe(id);
    expect(url).toMatch(form);
    expect(await readerAt(url)).toEqual({ user_id: id, timezone: 'Asia/Tokyo' });
    const rows = await identity.rows('select * from calendar_feeds where user_id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(secretIn(url));
  });

  it('replaces the previous one, and resolves to nobody when it is revoked', async () => {
    const { id, email } = await someUser();
    const { url: first } = await calendarFeeds.create({ user: email });
    const { url: second } = await calendarFeeds.create({ user: id });
    expect([await readerAt(first), await readerAt(second)]).toMatchObject([null, { user_id: id }]);
    await calendarFeeds.remove({ user: id });
    expect(await readerAt(second)).toBeNull();
    await expect(calendarFeeds.remove({ user: id })).rejects.toMatchObject({ name: 'NotFound' });
    for (const secret of ['', 'crm_cf_', 'x'.repeat(1000), `${secretIn(second)}'`])
      expect(await calendarFeeds.resolve({ secret })).toBeNull();
  });

  it('is unique, however many are created at once', async () => {
    const { id } = await someUser();
    const made = await Promise.all(Array.from({ length: 10 }, () => calendarFeeds.create({ user: id })));
    const readers = await Promise.all(made.map(({ url }) => readerAt(url)));
    expect(readers.filter((reader) => reader !== null)).toEqual([{ user_id: id, timezone: 'Asia/Tokyo' }]);
  });

  it('is revoked when the account is disabled or its password changes, and is not restored', async () => {
    const { id } = await someUser();
    const { url } = await calendarFeeds.create({ user: id });
    await users.disable({ user: id });
    expect(await readerAt(url)).toBeNull();
    await expect(calendarFeeds.create({ user: id })).rejects.toMatchObject({ name: 'Conflict' });
    await users.enable({ user: id });
    expect(await readerAt(url)).toBeNull();
    const { url: next } = await calendarFeeds.create({ user: id });
    await users.changePassword({ user: id, password: 'another one' });
    expect(await readerAt(next)).toBeNull();
  });

  it('is published with ids when it is created and revoked', async () => {
    const { id } = await someUser();
    await calendarFeeds.create({ user: id });
    await calendarFeeds.remove({ user: id });
    const said = (await identity.published()).filter(({ type }) => type.includes('calendar-feed')).slice(-2);
    expect(said.map(({ type, data }) => [type, data])).toEqual([
      ['crm.identity.calendar-feed.created', { calendar_feed_id: expect.any(Number), user_id: id }],
      ['crm.identity.calendar-feed.removed', { calendar_feed_id: expect.any(Number), user_id: id }],
    ]);
  });

  it('is created and revoked on the account page, and shown there once', async () => {
    const { id, browser: visitor } = await signedIn(identity);
    const page = await visitor.get(account.show);
    const made = await visitor.post(account.makeCalendarFeed, {
      form_token: tokenIn(page, '/account/calendar-feed'),
    });
    const url = new RegExp(`${publicUrl}/calendar/\\w+\\.ics`).exec(made.body)?.[0] ?? '';
    expect(await readerAt(url)).toMatchObject({ user_id: id });
    const again = await visitor.get(account.show);
    expect(again.body).not.toContain('crm_cf_');
    const form_token = tokenIn(again, '/account/calendar-feed/remove');
    expect((await visitor.post(account.removeCalendarFeed, { form_token })).status).toBe(303);
    expect(await readerAt(url)).toBeNull();
  });

  it('cannot be created by a form of another site', async () => {
    const { browser: visitor } = await signedIn(identity);
    const form_token = tokenIn(await visitor.get(account.show), '/account/calendar-feed');
    const foreign = { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } } as const;
    for (const sent of [
      { fields: { form_token: '' }, more: {} },
      { fields: { form_token }, more: foreign },
    ])
      expect((await visitor.post(account.makeCalendarFeed, sent.fields, sent.more)).status).toBe(403);
  });
});
