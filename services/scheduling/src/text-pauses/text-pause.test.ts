import { clearCrashPoints, setCrashPoint } from '@crm/dispatch';
import { openTransaction, someone, untilWaiting } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { publicUrl } from '../../test/harness.ts';
import { textsOf } from '../../test/texts.ts';
import { forgetOldTexts } from '../inbound-texts/inbound-text.queries.ts';
import { settleOptOuts } from '../opt-outs/settle-opt-outs.ts';
import { pausedContactsOf } from './paused-contacts.ts';
import { endPause, pausedAmong, pauseTexts } from './text-pause.queries.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
afterEach(clearCrashPoints);
const { service, mail, turn, due, later, workerContext } = under;
const { post, settle, afterwards } = textsOf(under);
const { optOuts } = service.contacts.asSystem;

const mailsTo = async (email: string) =>
  (await mail.mails()).filter(({ to }) => to.some((one) => one.includes(email)));

/** A contact who was texted by its agent. */
async function texted() {
  const one = await due('Text Contact');
  await turn();
  return one;
}

describe('a request to be left alone that becomes known late', () => {
  it('pauses nothing if the person has written START since', async () => {
    const { query } = workerContext.database;
    const number = '+16045550199';
    await endPause(query, number, '2026-03-01T09:00:00.000Z');
    await pauseTexts(query, number, '2026-03-01T08:00:00.000Z');
    expect(await pausedAmong(query, [number])).toEqual([]);
    await pauseTexts(query, number, '2026-03-01T10:00:00.000Z');
    expect(await pausedAmong(query, [number])).toMatchObject([{ number }]);
    const endedBefore = await endPause(query, number, '2026-03-01T09:30:00.000Z');
    expect(endedBefore, 'by a START from before it').toBe(false);
    expect(await pausedAmong(query, [number])).toMatchObject([{ number }]);
  });
});

describe('a contact who asks to be left alone', () => {
  async function paused() {
    const { from, to } = await texted();
    await post(to.phone, 'Please stop texting me');
    await afterwards();
    const next = await due('Text Contact', {
      contact_id: to.id,
      send_from_user_id: from.id,
      body: 'And then?',
    });
    await turn();
    const decide = (texts: 'continue' | 'end', id = from.id) =>
      service.as({ ...someone(), id }).textPauses.end({ contact_id: to.id, texts });
    const shown = async () => {
      const { consents } = service.contacts.as({ ...someone(), id: from.id });
      return (await consents.get({ id: to.id })).text_paused_at;
    };
    return { from, to, next, decide, shown };
  }

  it('gets no texts until an agent, who is asked, decides that they continue', async () => {
    const { from, to, next, decide, shown } = await paused();
    expect(await shown()).toEqual(expect.any(String));
    expect(await mailsTo(from.email)).toMatchObject([
      {
        subject: 'Carla Jones asks to be left alone',
        text: expect.stringContaining(`${publicUrl}/account/paused-texts`),
      },
    ]);
    expect(await next.now()).toMatchObject({
      dispatch_state: 'Scheduled',
      dispatch_reason: 'The contact asked to be left alone. Decide whether texts continue.',
    });
    const [{ pause } = { pause: 0 }] = await service.rows(
      'select extract(epoch from next_attempt_at - now())::float8 as pause from communications where id = $1',
      [next.id],
    );
    expect(Number(pause)).toBeGreaterThan(30);
    await expect(decide('continue', someone().id)).rejects.toMatchObject({ name: 'NotFound' });
    expect(await decide('continue')).toEqual({ contact_id: to.id, texts: 'continue' });
    await expect(decide('continue')).rejects.toMatchObject({ name: 'Conflict' });
    expect(await shown()).toBeNull();
    await later();
    await turn();
    expect(await next.now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it('gets no more texts if the agent decides so', async () => {
    const { to, next, decide, shown } = await paused();
    await decide('end');
    expect(await shown()).toBeNull();
    await later();
    await turn();
    expect(await next.now()).toMatchObject({ dispatch_reason: 'The number of the contact has opted out.' });
    expect(await optOuts.among({ numbers: [to.phone] })).toEqual([to.phone]);
  });

  it('is not opted out by an agent who decides after another one has decided that texts continue', async () => {
    const { to, decide } = await paused();
    await decide('continue');
    await expect(decide('end')).rejects.toMatchObject({ name: 'Conflict' });
    expect(await optOuts.among({ numbers: [to.phone] })).toEqual([]);
  });

  it('is not opted out by an agent who decides while another one decides that texts continue', async () => {
    const { to, decide } = await paused();
    await using continuing = await openTransaction(
      service.database,
      'update text_pauses set ended_at = now() where number = $1',
      [to.phone],
    );
    const refused = decide('end').catch((error: unknown) => error);
    await untilWaiting(service.rows, [refused]);
    await continuing.commit();
    expect(await refused).toMatchObject({ name: 'Conflict' });
    expect(await optOuts.among({ numbers: [to.phone] })).toEqual([]);
  });

  it.each([true, false])(
    'gets no text that is being sent while an agent decides so (contacts responds: %s)',
    async (responds) => {
      const { to, next, decide, shown } = await paused();
      // Without it, contacts cannot publish that a number was opted out.
      const rename = (from: string, into: string) =>
        responds ? undefined : service.contacts.rows(`alter table ${from} rename to ${into}`);
      const decideOnce = async () => {
        await rename('outbox', 'outbox_away');
        await decide('end');
        await rename('outbox_away', 'outbox');
      };
      let decided: Promise<void> | undefined;
      setCrashPoint('communication.planned', () => {
        decided ??= decideOnce();
        return decided;
      });
      await later();
      await turn();
      expect(await next.now()).toMatchObject({
        dispatch_state: 'Scheduled',
        dispatch_reason: 'Whether the contact may be sent messages has just changed.',
      });
      await service.rows('update opt_out_requests set next_attempt_at = now() where settled_at is null');
      await settleOptOuts(workerContext);
      expect(await shown()).toBeNull();
      expect(await optOuts.among({ numbers: [to.phone] })).toEqual([to.phone]);
      await later();
      await turn();
      expect(await next.now()).toMatchObject({ dispatch_reason: 'The number of the contact has opted out.' });
      expect(next.received().arrivals).toBe(0);
    },
  );

  it('is shown with the words to whoever sees the contact, however long nobody decides', async () => {
    const { from, to, decide } = await paused();
    const ben = await under.sender();
    const other = await under.contact({ mobile_phone: to.phone });
    await service.contacts.rows('update contacts set owner_user_id = $1 where id = $2', [ben.id, other.id]);
    await service.rows(
      "update inbound_texts set received_at = received_at - interval '1 year' where from_number = $1",
      [to.phone],
    );
    await service.rows("update text_pauses set paused_at = paused_at - interval '1 year' where number = $1", [
      to.phone,
    ]);
    await forgetOldTexts(service.database.query);
    const asking = { peers: workerContext.peers, requestId: 'a-test', query: service.database.query };
    const shown = await pausedContactsOf(asking, from.id);
    expect(shown).toMatchObject([
      { id: to.id, name: 'Carla Jones', number: to.phone, words: 'Please stop texting me' },
    ]);
    // The text was recorded for another contact with the same number, whom Ben does not see.
    expect(await pausedContactsOf(asking, ben.id)).toMatchObject([
      { id: other.id, number: to.phone, words: null },
    ]);
    expect(await pausedContactsOf(asking, (await under.sender()).id)).toEqual([]);
    await decide('continue');
    expect(await pausedContactsOf(asking, from.id)).toEqual([]);
    await forgetOldTexts(service.database.query);
    expect(await service.rows('select from inbound_texts where from_number = $1', [to.phone])).toEqual([]);
  });

  it('gets texts again after START', async () => {
    const { to, next, shown } = await paused();
    await post(to.phone, 'START');
    await settle();
    expect(await shown()).toBeNull();
    await later();
    await turn();
    expect(await next.now()).toMatchObject({ dispatch_state: 'Sent' });
  });
});
