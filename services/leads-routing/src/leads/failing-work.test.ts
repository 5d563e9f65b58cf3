import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { sid } from '../../test/callbacks.ts';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { noteBounces } from '../alert-statuses/note-bounces.ts';
import { decideTexts } from '../claim-links/decide-texts.ts';
import { giveWaitingContacts } from '../claims/give-contact.ts';
import { returnUnclaimed } from '../offers/return-unclaimed.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, workerContext, offer, reachable, turn, alerts, settings } = under;

const stored = async (id: number) => (await service.rows('select * from leads where id = $1', [id]))[0];
const copies = 100;

await service.rows(
  `create function fail() returns trigger language plpgsql as $$ begin raise 'Broken'; end $$`,
);

/** Makes each write of some rows fail. */
const breakRows = (table: string, operation: 'insert' | 'update', condition: string) =>
  service.rows(
    `create trigger broken before ${operation} on ${table} for each row when (${condition}) execute function fail()`,
  );

/** A lead and its copies. */
async function copiedLeads(change: string) {
  const { lead_id } = await offer([[await service.person(), {}]]);
  await service.rows(`update leads set ${change} where id = $1`, [lead_id]);
  const [{ columns } = {}] = await service.rows(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = current_schema() and table_name = 'leads' and is_generated = 'NEVER' and column_name <> 'id'`,
  );
  const copied = await service.rows(
    `insert into leads (${columns}) select ${columns} from leads, generate_series(1, ${copies - 1})
     where id = $1 returning id`,
    [lead_id],
  );
  return [lead_id, ...copied.map(({ id }) => Number(id))];
}

/** Runs a test with broken rows, and fixes them afterwards. */
async function repairing(table: string, work: () => Promise<void>) {
  try {
    await work();
  } finally {
    await service.rows(`drop trigger broken on ${table}`);
  }
}

describe('a hundred items that fail permanently do not hold up those behind them', () => {
  it('among leads whose contacts are given', async () => {
    const broken = await copiedLeads(
      "status = 'Claimed', claimed_by_user_id = creator_user_id, claimed_at = now()",
    );
    await breakRows('leads', 'update', `old.id in (${broken})`);
    await repairing('leads', async () => {
      const ben = await service.person();
      const { lead_id } = await offer([[ben, {}]]);
      await service.rows(
        "update leads set status = 'Claimed', claimed_by_user_id = $2, claimed_at = now() where id = $1",
        [lead_id, ben.id],
      );
      await giveWaitingContacts(workerContext);
      expect(await stored(lead_id)).toMatchObject({ contact_given_at: expect.any(String) });
    });
  });

  it('among leads that nobody claimed', async () => {
    const broken = await copiedLeads("runs_out_at = now() - interval '1 minute'");
    await breakRows('leads', 'update', `old.id in (${broken})`);
    await repairing('leads', async () => {
      const { lead_id } = await offer([[await service.person(), {}]]);
      await service.rows("update leads set runs_out_at = now() - interval '1 second' where id = $1", [
        lead_id,
      ]);
      await returnUnclaimed(workerContext);
      expect(await stored(lead_id)).toMatchObject({ fallback_reason: 'Nobody claimed it' });
    });
  });

  it('among texts that may claim a lead', async () => {
    const { user, phone } = await reachable();
    const { lead_id } = await offer([[user, { has_text_alert: true }]]);
    await turn();
    const arrive = (id: string) =>
      service.scheduling.rows(
        `insert into inbound_texts (id, from_number, body, meaning, is_answered, received_at)
         values ($1, $2, $3, 'other', false, clock_timestamp())`,
        [id, phone, `CLAIM ${lead_id}`],
      );
    await breakRows('inbound_texts', 'insert', "new.id like 'SMbroken%'");
    await repairing('inbound_texts', async () => {
      for (let copy = 0; copy < copies; copy++) await arrive(`SMbroken${copy}`);
      await arrive(sid());
      await decideTexts(workerContext);
      expect(await stored(lead_id)).toMatchObject({ claimed_by_user_id: user.id, claimed_via: 'Text' });
    });
  });

  it('among reports about bounced e-mails', async () => {
    const { user } = await reachable();
    const { lead_id } = await offer([[user, { has_email_alert: true }]]);
    await turn();
    const [alert] = await alerts(lead_id);
    const broken = await service.rows(
      `insert into lead_alerts (lead_id, kind, state, due_at, next_attempt_at, begun_at, sent_to)
       select unnest($2::int[]), kind, state, due_at, next_attempt_at, begun_at, sent_to
       from lead_alerts where key = $1 returning key`,
      [alert?.key, await copiedLeads('runs_out_at = null')],
    );
    await breakRows('lead_alerts', 'update', `old.key <> '${alert?.key}'`);
    await repairing('lead_alerts', async () => {
      const keys = [...broken.map(({ key }) => String(key)), alert?.key ?? randomUUID()];
      for (const key of keys)
        await service.scheduling.rows(
          `insert into unmatched_bounces (key, state, reason, is_unreachable, reported_at)
           values ($1, 'Undelivered', '5.1.1 No such user', true, clock_timestamp())`,
          [key],
        );
      await noteBounces(settings, workerContext);
      expect(await service.scheduling.rows('select count(*)::int from unmatched_bounces')).toEqual([
        { count: copies },
      ]);
    });
  });
});
