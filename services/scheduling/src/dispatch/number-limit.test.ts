import { clearCrashPoints } from '@crm/dispatch';
import { contactRemoved } from '@crm/events';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { holdingFinalChecks } from '../../test/hold-final-checks.ts';

const under = await dispatchUnderTest({ maxPerContact: { texts: 2, emails: 2 } });
afterAll(under.close);
afterEach(clearCrashPoints);
const { service, communication, row, sender, contact, later } = under;
const slots = { 'Email Contact': 6, 'Text Contact': 6, 'Call Contact': 6 };
const [one, two] = [under.instance(true, slots), under.instance(true, slots)];
const holdFinalChecks = holdingFinalChecks(under);

/** Both instances try repeatedly until nothing is due. */
async function sendAll() {
  for (let round = 0; round < 4; round += 1) {
    await Promise.all([one(), two()]);
    await later();
  }
}

async function outcomes(ids: readonly number[]) {
  const rows = await Promise.all(ids.map(row));
  const isSent = ({ key }: (typeof rows)[number]) => Boolean(under.received(key).accepted);
  return { sent: rows.filter(isSent), waiting: rows.filter((one) => !isSent(one)) };
}

let count = 0;
const text = (contact_id: number, send_from_user_id: number) =>
  communication({ type: 'Text Contact', contact_id, send_from_user_id, body: `Hello ${count++}` });

describe('a number of several contacts', () => {
  it('gets no more texts a day than one contact; the others are moved, with the reason', async () => {
    const from = await sender();
    const first = await contact();
    const second = await contact({ mobile_phone: first.phone });
    const ids: number[] = [];
    for (const { id } of [first, second, second]) ids.push(await text(id, from.id));
    await sendAll();
    const { sent, waiting } = await outcomes(ids);
    expect(sent).toHaveLength(2);
    expect(waiting).toHaveLength(1);
    for (const moved of waiting) {
      expect(moved.dispatch_state).toBe('Scheduled');
      expect(moved.dispatch_reason).toMatch(
        /^It waits until .+, because the number was sent 2 texts within 24 hours\.$/,
      );
      expect(Date.parse(String(moved.send_at))).toBeGreaterThan(Date.now() + 23 * 3_600_000);
      expect(await under.eventsOf(Number(moved.id))).toContain('moved');
    }
  });

  it('gets no more texts if several senders and workers race', async () => {
    const mobile_phone = under.number();
    const senders = [await sender(), await sender()];
    const ids = await Promise.all(
      Array.from({ length: 12 }, async (_, index) =>
        text((await contact({ mobile_phone })).id, senders[index % 2]?.id ?? 0),
      ),
    );
    holdFinalChecks(ids);
    await sendAll();
    const { sent, waiting } = await outcomes(ids);
    expect(sent).toHaveLength(2);
    for (const { dispatch_reason } of waiting)
      expect(dispatch_reason).toContain('the number was sent 2 texts');
  });

  it('gets no more texts if a contact is removed and added again', async () => {
    const from = await sender();
    const first = await contact();
    await Promise.all([text(first.id, from.id), text(first.id, from.id)]);
    await sendAll();
    await service.deliver(contactRemoved, {
      contact_id: first.id,
      owner_user_id: from.id,
      assigned_user_id: null,
    });
    const again = await contact({ mobile_phone: first.phone });
    const { id } = await under.due('Text Contact', { contact_id: again.id, send_from_user_id: from.id });
    await sendAll();
    expect((await outcomes([id])).sent).toEqual([]);
  });

  it('gets a text again after a day', async () => {
    const from = await sender();
    const first = await contact();
    const second = await contact({ mobile_phone: first.phone });
    const ids = [
      await text(first.id, from.id),
      await text(first.id, from.id),
      await text(second.id, from.id),
    ];
    await sendAll();
    await service.rows(
      `update communications set begun_at = begun_at - interval '24 hours', send_at = now(), next_attempt_at = now()
       where id = any($1::int[])`,
      [ids],
    );
    await sendAll();
    expect((await outcomes(ids)).sent).toHaveLength(3);
  });
});
