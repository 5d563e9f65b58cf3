import ICAL from 'ical.js';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from './system/api.ts';
import { made } from './system/made.ts';
import { type Person, shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))('%s: the calendar of a user', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);

  const add = async (person: Person, path: string, draft: Json) =>
    (await made(person, path, { status: 'incomplete', ...draft })).id;
  const timed = (person: Person, description: string, more: Json = {}) =>
    add(person, '/api/v1/scheduled/tasks', {
      assigned_user_id: person.id,
      due_at: '2031-03-03T09:00:00',
      description,
      ...more,
    });
  const linkOf = async ({ id }: Person) => (await system.operator.calendarFeeds.create({ user: id })).url;
  const summariesAt = async (url: string) => {
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/calendar; charset=utf-8',
    ]);
    const calendar = new ICAL.Component(ICAL.parse(await answer.text()));
    const entries = ['vevent', 'vtodo'].flatMap((name) => calendar.getAllSubcomponents(name));
    return entries.map((entry) => String(entry.getFirstPropertyValue('summary'))).sort();
  };

  it('shows open tasks of both versions, including tasks assigned by others, but no tasks of other users', async () => {
    const [anna, bob] = [await system.person({ is_broker: true }), await system.person()];
    await bob.allows(anna);
    expect((await anna.api.post('/sub-accounts', { user_id: bob.id })).status).toBe(201);
    await timed(anna, 'Newer');
    await timed(anna, 'Every day', { recurrence_rule: 'FREQ=DAILY;COUNT=4' });
    await add(anna, '/tasks', { description: 'Older, never due', action_type: 'None' });
    await timed(anna, 'For Bob', { assigned_user_id: bob.id });
    await timed(anna, 'Done', { status: 'complete' });
    await timed(bob, 'Of Bob');
    expect(await summariesAt(await linkOf(anna))).toEqual([
      'Every day',
      'For Bob',
      'Newer',
      'Older, never due',
    ]);
    expect(await summariesAt(await linkOf(bob))).toEqual(['For Bob', 'Of Bob']);
  });

  it('has an alarm for what its user is reminded of, and for nothing else', async () => {
    const anna = await system.person();
    await timed(anna, 'Reminded', { reminder_type: 3, notify_assignee: true });
    await timed(anna, 'By nobody', { reminder_type: 0, notify_assignee: true });
    await timed(anna, 'Silent', { reminder_type: 3, notify_assignee: false });
    const text = await (await fetch(await linkOf(anna))).text();
    const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
    const withAlarm = events.filter((event) => event.getFirstSubcomponent('valarm'));
    expect(events).toHaveLength(3);
    expect(withAlarm.map((event) => event.getFirstPropertyValue('summary'))).toEqual(['Reminded']);
  });

  it('is sent again only after a change, and a change is visible at once', async () => {
    const anna = await system.person();
    const id = await timed(anna, 'Call');
    const url = await linkOf(anna);
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const again = (known: string) => fetch(url, { headers: { 'if-none-match': known } });
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const { status, headers } = await again(known);
      expect([status, headers.get('etag')]).toEqual([304, etag]);
    }
    expect((await again('"x"')).status).toBe(200);
    await anna.api.patch(`/tasks/${id}`, { description: 'Call again' });
    expect((await again(etag)).status).toBe(200);
    expect(await summariesAt(url)).toEqual(['Call again']);
    await anna.api.patch(`/tasks/${id}`, { status: 'complete' });
    expect(await summariesAt(url)).toEqual([]);
  });

  it('is available to anybody with the link until it is revoked', async () => {
    const anna = await system.person();
    const url = await linkOf(anna);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    const other = await linkOf(anna);
    await system.operator.calendarFeeds.remove({ user: anna.id });
    const wrong = [url, other, `${system.url}/calendar/x.ics`, `${system.url}/calendar/%00.ics`];
    for (const gone of [...wrong, `${system.url}/calendar/${'x'.repeat(900)}.ics`, other.replace('.ics', '')])
      expect((await fetch(gone)).status, gone).toBe(404);
  });

  it('has a link that is in no log and not told to other sites, and tasks that no cache keeps for others', async () => {
    const anna = await system.person();
    const url = await linkOf(anna);
    const { headers } = await fetch(url);
    const known = await fetch(url, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect(known.status).toBe(304);
    for (const { headers: sent } of [{ headers }, known])
      expect([sent.get('referrer-policy'), sent.get('cache-control')]).toEqual([
        'no-referrer',
        'private, no-cache',
      ]);
    const secret = /crm_cf_\w+/.exec(url)?.[0] ?? '';
    expect(secret).not.toBe('');
    expect(JSON.stringify(await system.logs())).not.toContain(secret);
  });
});
