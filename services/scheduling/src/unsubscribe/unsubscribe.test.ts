import { randomUUID } from 'node:crypto';
import { clearCrashPoints, setCrashPointOnce } from '@crm/dispatch';
import { contactRemoved } from '@crm/events';
import { webRequest } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest, postalAddress } from '../../test/dispatch.ts';
import { publicUrl } from '../../test/harness.ts';
import { forgetRemovedEmails } from '../communications/removed-email.queries.ts';
import { settleOptOuts } from '../opt-outs/settle-opt-outs.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
afterEach(clearCrashPoints);
const { service, mail, turn, later, due, workerContext } = under;

const justChanged = 'Whether the contact may be sent messages has just changed.';
const optedOut = 'The address of the contact has opted out.';

const ask = (verb: 'show' | 'unsubscribe', key: unknown, body = '') =>
  service.asSystem.unsubscribe[verb](webRequest({ params: { key: String(key) }, body }));
const click = 'List-Unsubscribe=One-Click';
const sourceOf = async ({ to }: Awaited<ReturnType<typeof due>>) =>
  (await service.contacts.asSystem.contacts.exportForDispatch({ ids: [to.id] }))[0]?.email_opt_out;

describe('a campaign e-mail', () => {
  it('has the headers with which a mail program unsubscribes', async () => {
    const { key } = await due('Email Contact');
    await turn();
    const email = (await mail.mails()).find(({ message_id }) => message_id?.includes(String(key)));
    expect(email?.headers).toEqual(
      expect.arrayContaining([
        { name: 'List-Unsubscribe', value: `<${publicUrl}/unsubscribe/${key}>` },
        { name: 'List-Unsubscribe-Post', value: click },
      ]),
    );
  });

  it("shows how to unsubscribe at its end, and the operator's address, also in its text version", async () => {
    const { key } = await due('Email Contact', { body: '<p>Dear {{contact.first_name}}</p>' });
    await turn();
    const url = `${publicUrl}/unsubscribe/${key}`;
    const email = (await mail.mails()).find(({ message_id }) => message_id?.includes(String(key)));
    expect(email?.html?.trim()).toBe(
      `<p>Dear Carla</p><p>Unsubscribe: <a href="${url}">${url}</a></p><p>${postalAddress}</p>`,
    );
    expect(email?.text?.trim()).toBe(`Dear Carla\n\nUnsubscribe: ${url}\n\n${postalAddress}`);
    expect(await ask('show', key)).toMatchObject({ status: 200 });
  });

  it('has the link where its author puts it, and only there', async () => {
    const body = '<a href="{{unsubscribe_url}}">No more, please</a>';
    const { key, now } = await due('Email Contact', { body });
    await turn();
    const url = `${publicUrl}/unsubscribe/${key}`;
    const email = (await mail.mails()).find(({ message_id }) => message_id?.includes(String(key)));
    expect(email?.html?.trim()).toBe(`<a href="${url}">No more, please</a><p>${postalAddress}</p>`);
    expect(email?.text?.trim()).toBe(`No more, please (${url})\n${postalAddress}`);
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', dispatch_reason: null });
  });

  it('shows a page with one button, which changes nothing and does not name the recipient', async () => {
    const one = await due('Email Contact');
    await turn();
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await ask('show', one.key);
      expect(status).toBe(200);
      expect(body.match(/<button/g)).toHaveLength(1);
      expect(body).not.toContain(one.to.email);
      expect(body).not.toContain('Carla');
    }
    expect(await sourceOf(one)).toBeNull();
  });

  it.each([
    ['a form', click],
    [
      'multipart',
      `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n`,
    ],
    [
      'multipart, with the type of the part',
      [
        '--x',
        'Content-Disposition: form-data; name="List-Unsubscribe"',
        'Content-Type: text/plain; charset=ISO-8859-1',
        'Content-Transfer-Encoding: 8bit',
        '',
        'One-Click',
        '--x--',
      ].join('\r\n'),
    ],
    ['a form that ends with a line break', `${click}\r\n`],
  ])(
    'unsubscribes its address with %s, as often as it is posted, and the next one fails',
    async (_form, body) => {
      const one = await due('Email Contact');
      await turn();
      const next = await due('Email Contact', { contact_id: one.to.id, send_from_user_id: one.from.id });
      for (let times = 0; times < 2; times += 1) {
        const answer = await ask('unsubscribe', one.key, body);
        expect(answer.status).toBe(200);
        expect(answer.body).toContain('You are unsubscribed');
      }
      expect(await sourceOf(one)).toBe('List-Unsubscribe');
      await turn();
      expect(await next.now()).toMatchObject({
        dispatch_state: 'Failed',
        dispatch_reason: optedOut,
      });
      expect(next.received().arrivals).toBe(0);
    },
  );

  it.each([
    ['@example.com', '@EXAMPLE.COM'],
    ['@EXAMPLE.COM', '@example.com'],
    ['@münchen.example', '@xn--mnchen-3ya.example'],
    ['@xn--mnchen-3ya.example', '@münchen.example'],
    ['2@example.com', '2@ｅxample.com'],
  ])(
    'to an address with %s immediately holds back what is being sent to the same address with %s',
    async (written, otherwise) => {
      const name = randomUUID();
      const [address, same] = [`${name}${written}`, `${name.toUpperCase()}${otherwise}`];
      const { id: contact_id } = await under.contact({ email: address });
      const one = await due('Email Contact', { contact_id });
      await turn();
      const other = await under.contact({ email: same });
      const next = await due('Email Contact', { contact_id: other.id, send_from_user_id: one.from.id });
      setCrashPointOnce('communication.planned', async () => {
        await ask('unsubscribe', one.key, click);
      });
      await turn();
      expect(await next.now()).toMatchObject({ dispatch_state: 'Scheduled', dispatch_reason: justChanged });
      await later();
      await turn();
      expect(await next.now()).toMatchObject({ dispatch_reason: optedOut });
      expect(next.received().arrivals).toBe(0);
    },
  );

  it('unsubscribes its address although contacts does not respond, and what is due waits until it does', async () => {
    const one = await due('Email Contact');
    await turn();
    const next = await due('Email Contact', { contact_id: one.to.id, send_from_user_id: one.from.id });
    setCrashPointOnce('communication.planned', async () => {
      await service.contacts.rows('alter table opt_outs rename to opt_outs_away');
      expect(await ask('unsubscribe', one.key, click)).toMatchObject({ status: 200 });
      await service.contacts.rows('alter table opt_outs_away rename to opt_outs');
    });
    await turn();
    expect(await next.now()).toMatchObject({ dispatch_state: 'Scheduled', dispatch_reason: justChanged });
    await later();
    await turn();
    expect(await next.now()).toMatchObject({ dispatch_state: 'Scheduled', dispatch_reason: justChanged });
    expect(await sourceOf(one)).toBeNull();
    await service.rows('update opt_out_requests set next_attempt_at = now() where settled_at is null');
    await settleOptOuts(workerContext);
    expect(await sourceOf(one)).toBe('List-Unsubscribe');
    await later();
    await turn();
    expect(await next.now()).toMatchObject({ dispatch_reason: optedOut });
    expect(next.received().arrivals).toBe(0);
  });

  it('is sent to contacts even if the next attempt was set while the clock of the database was ahead', async () => {
    const one = await due('Email Contact');
    await turn();
    await service.contacts.rows('alter table opt_outs rename to opt_outs_away');
    expect(await ask('unsubscribe', one.key, click)).toMatchObject({ status: 200 });
    await service.contacts.rows('alter table opt_outs_away rename to opt_outs');
    await service.rows(
      "update opt_out_requests set next_attempt_at = now() + interval '5 hours' where settled_at is null",
    );
    await settleOptOuts(workerContext);
    expect(await sourceOf(one)).toBe('List-Unsubscribe');
  });

  it('unsubscribes nobody without the words of a click', async () => {
    const one = await due('Email Contact');
    await turn();
    for (const body of ['', 'List-Unsubscribe=Two-Clicks', 'x=1'])
      expect(await ask('unsubscribe', one.key, body)).toMatchObject({ status: 400 });
    expect(await sourceOf(one)).toBeNull();
  });
});

describe('the link of an e-mail whose contact was removed', () => {
  const removed = async ({ to, from }: Awaited<ReturnType<typeof due>>) =>
    service.deliver(contactRemoved, { contact_id: to.id, owner_user_id: from.id, assigned_user_id: null });
  const sentAgo = async (age: string) => {
    const one = await due('Email Contact');
    await turn();
    await service.rows('update communications set begun_at = begun_at - $2::interval where key = $1::uuid', [
      one.key,
      age,
    ]);
    await removed(one);
    return one;
  };

  it('unsubscribes its address for 60 days after it was sent, as often as it is posted', async () => {
    const one = await sentAgo('59 days');
    await forgetRemovedEmails(service.database.query);
    expect(await ask('show', one.key)).toMatchObject({ status: 200 });
    for (let times = 0; times < 2; times += 1)
      expect(await ask('unsubscribe', one.key, click)).toMatchObject({ status: 200 });
    const again = await under.contact({ email: one.to.email });
    const [exported] = await service.contacts.asSystem.contacts.exportForDispatch({ ids: [again.id] });
    expect(exported?.email_opt_out).toBe('List-Unsubscribe');
  });

  it('is deleted with its address after that, in portions', async () => {
    const kept = await sentAgo('59 days');
    const older = [await sentAgo('1 day'), await sentAgo('2 days'), await sentAgo('3 days')];
    await service.rows(
      "update removed_emails set sent_at = sent_at - interval '60 days' where key = any($1::uuid[])",
      [older.map(({ key }) => key)],
    );
    await forgetRemovedEmails(service.database.query, 2);
    for (const { key } of older) expect(await ask('show', key)).toMatchObject({ status: 404 });
    expect(await ask('show', kept.key)).toMatchObject({ status: 200 });
  });

  it('is not kept if it is older, was never sent, or belongs to a text', async () => {
    const unsent = await due('Email Contact', { send_at: "now() + interval '1 day'" });
    const text = await due('Text Contact');
    await turn();
    for (const one of [unsent, text]) await removed(one);
    const keys = [unsent, text, await sentAgo('61 days')].map(({ key }) => key);
    expect(await service.rows('select from removed_emails where key = any($1::uuid[])', [keys])).toEqual([]);
  });
});

describe('the link of no e-mail', () => {
  it.each([randomUUID(), 'x', '1; drop', ''])('(%s) shows a page that reveals nothing more', async (key) => {
    for (const answer of [await ask('show', key), await ask('unsubscribe', key, click)]) {
      expect(answer.status).toBe(404);
      expect(answer.body).toContain('This link does not work');
    }
  });

  it('can be that of an e-mail that was not sent yet', async () => {
    const { key } = await due('Email Contact', { send_at: "now() + interval '1 day'" });
    expect(await ask('show', key)).toMatchObject({ status: 404 });
    expect(await ask('unsubscribe', key, click)).toMatchObject({ status: 404 });
  });

  it('can be that of a text', async () => {
    const text = await due('Text Contact');
    await turn();
    expect(await ask('unsubscribe', text.key, click)).toMatchObject({ status: 404 });
  });
});
