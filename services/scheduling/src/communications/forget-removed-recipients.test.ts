import { contactRemoved } from '@crm/events';
import { openTransaction } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { endPartition } from '../../test/partitions.ts';
import { forgetRemovedRecipients } from './forget-removed-recipients.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, due, turn } = under;
const { rows } = service;

const most = 5_000;

// Makes a statement fail that removes too many messages, as one that takes too long does with far more.
beforeAll(async () => {
  await rows(`create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from before) > ${most} then raise exception 'too many rows in one statement'; end if;
      return null;
    end $$`);
  await rows(`create trigger refuse_many after delete on communications referencing old table as before
    for each statement execute function refuse_many()`);
});

/** Adds copies of a message, which are also due, in another partition. */
async function copies(id: number, count: number) {
  await endPartition(service);
  await rows(
    `insert into communications (campaign_contact_id, campaign_id, campaign_action_id, contact_id, campaign_name, type,
       is_stopped_on_text_reply, body, send_from_user_id, send_at, timezone, next_attempt_at, created_at, modified_at)
     select campaign_contact_id, campaign_id, campaign_action_id + n, contact_id, campaign_name, type,
       is_stopped_on_text_reply, 'Hello', send_from_user_id, send_at, timezone, next_attempt_at, created_at, modified_at
     from communications, generate_series(1, $2::int) n where id = $1`,
    [id, count],
  );
}

const removed = (contact_id: number, owner_user_id: number) =>
  service.deliver(contactRemoved, { contact_id, owner_user_id, assigned_user_id: null });

const left = async (contact_id: number) => ({
  communications: (await rows('select from communications where contact_id = $1', [contact_id])).length,
  isNoted: (await rows('select from removed_recipients where id = $1', [contact_id])).length > 0,
});
const nothing = { communications: 0, isNoted: false };

describe('messages to a removed contact, sent or not', () => {
  it('are removed in portions if there are many, still count for limits, and are not sent meanwhile', async () => {
    const { id, to, from, key } = await due('Email Contact');
    await turn();
    await copies(id, 3 * most);
    await removed(to.id, from.id);
    expect(await left(to.id)).toMatchObject({ isNoted: true });
    await turn();
    const sent =
      "select from communications where contact_id = $1 and dispatch_state not in ('Scheduled', 'Dropped')";
    expect(await rows(sent, [to.id])).toEqual([]);
    await forgetRemovedRecipients(service.database);
    expect(await left(to.id)).toEqual(nothing);
    expect(await rows('select contact_id from removed_emails where key = $1', [key])).toEqual([
      { contact_id: to.id },
    ]);
    expect(await rows('select from removed_sendings where contact_id = $1', [to.id])).toHaveLength(1);
  });

  it('are removed later if they are being changed', async () => {
    const { id, to, from } = await due('Email Contact');
    await copies(id, 4);
    const lock = 'select from communications where id = $1 for update';
    await using held = await openTransaction(service.database, lock, [id]);
    await removed(to.id, from.id);
    expect(await left(to.id)).toEqual({ communications: 1, isNoted: true });
    await forgetRemovedRecipients(service.database);
    expect(await left(to.id)).toEqual({ communications: 1, isNoted: true });
    await held.rollback();
    await forgetRemovedRecipients(service.database, 2);
    expect(await left(to.id)).toEqual(nothing);
  });

  it('are removed immediately if there are few, even if the event arrives twice', async () => {
    const { to, from } = await due('Email Contact');
    for (let times = 0; times < 2; times++) {
      await removed(to.id, from.id);
      expect(await left(to.id)).toEqual(nothing);
    }
  });
});
