import { setTimeout as sleep } from 'node:timers/promises';
import { cpuPerMessage, cpuSeconds } from './cpu.ts';
import { makeDue } from './due-communications.ts';
import type { Ground } from './ground.ts';
import { someInstances } from './instances.ts';

/**
 * Whether any of the campaigns are waiting, and how many are being sent: to count all that wait would take time from
 * those who send.
 */
async function remaining({ rows }: Ground) {
  const those = (state: string) =>
    `select from scheduling.communications where dispatch_state = '${state}' and campaign_id > 0`;
  const [row] = await rows(
    `select (select count(*)::int from (${those('Scheduled')} limit 1) waiting) as waiting,
       (select count(*)::int from (${those('Sending')}) sending) as sending`,
  );
  return row as { waiting: number; sending: number };
}

export interface CommunicationsReport {
  readonly communications: number;
  readonly kills: number;
  readonly seconds: number;
  /** Counts those that were sent at the first attempt. */
  readonly perSecond: number;
  /** Keys that no provider received, and keys under which a provider accepted more than one message. */
  readonly missing: number;
  readonly twice: number;
  /** How often a key was sent again because the first outcome was unknown. */
  readonly repeated: number;
  readonly failed: number;
  /** Communications without exactly one event of their dispatch. */
  readonly unpublished: number;
  /**
   * Of texts of another account, one of which became due each second unless it hurries: after how many seconds they
   * were sent.
   */
  readonly secondsOfOthers: { readonly count: number; readonly median: number; readonly slowest: number };
  /** Processor time in milliseconds, by program. */
  readonly cpuPerMessage: Readonly<Record<string, number>>;
}

interface Load {
  readonly communications: number;
  readonly kill: boolean;
  /** 2 by default. */
  readonly instances?: number;
  /** Ends the leases of killed instances, for a test that cannot wait for them to expire. */
  readonly hurry?: boolean;
}

/** Sends many communications with some instances, and reports what the providers received. */
export async function communicationsUnderLoad(
  ground: Ground,
  senders: readonly number[],
  { communications, kill, instances: count = 2, hurry = false }: Load,
): Promise<CommunicationsReport> {
  await using cleanup = new AsyncDisposableStack();
  await ground.rows('truncate scheduling.communications, scheduling.outbox');
  const instances = await someInstances(() => ground.spawn('scheduling'), cleanup, count);
  const [own, other] = [senders.slice(0, -1), senders.at(-1) ?? 0];
  await makeDue(ground, own, communications);
  const cpu = await cpuSeconds();
  const began = performance.now();
  const stopOthers = hurry ? async () => [] : othersEachSecond(ground, other);
  if (kill) await instances.killOneEvery(1_000, async () => (await remaining(ground)).waiting > 0);
  await settled(ground, hurry);
  const others = await stopOthers();
  const seconds = (performance.now() - began) / 1000;
  const spent = cpuPerMessage(cpu, await cpuSeconds(), communications + others.length);
  return {
    ...(await report(ground, instances.kills(), seconds)),
    secondsOfOthers: {
      count: others.length,
      median: others.toSorted((a, b) => a - b)[others.length >> 1] ?? 0,
      slowest: Math.max(0, ...others),
    },
    cpuPerMessage: spent,
  };
}

/** A text of another account each second, until the end, which returns after how many seconds each was sent. */
function othersEachSecond({ rows }: Ground, sender: number) {
  let isOver = false;
  const adding = (async () => {
    while (!isOver) {
      await rows(
        `insert into scheduling.communications (campaign_contact_id, campaign_id, campaign_action_id, contact_id,
           campaign_name, type, is_stopped_on_text_reply, body, send_from_user_id, send_at, timezone,
           next_attempt_at, created_at, modified_at)
         select -n, -n, 1, n, 'Other', 'Text Contact', true, 'Hello {{contact.first_name}}', $1::int, now(),
           'America/New_York', now(), now(), now()
         from (select 1 + count(*)::int as n from scheduling.communications where campaign_id < 0) others`,
        [sender],
      );
      await sleep(1_000);
    }
  })();
  return async () => {
    isOver = true;
    await adding;
    for (;;) {
      const found = await rows(
        `select extract(epoch from completed_at - send_at)::float8 as seconds from scheduling.communications
         where campaign_id < 0 order by send_at`,
      );
      if (found.every(({ seconds }) => seconds !== null)) return found.map(({ seconds }) => Number(seconds));
      await sleep(250);
    }
  };
}

/** Each look reads the versions of rows that were being sent, and so takes time from those who send. */
const lookEveryMs = 500;

async function settled(ground: Ground, hurry: boolean): Promise<void> {
  let quiet = 0;
  for (let before = await remaining(ground); before.waiting + before.sending > 0; ) {
    await sleep(lookEveryMs);
    const now = await remaining(ground);
    quiet = now.waiting === 0 && now.sending === before.sending ? quiet + 1 : 0;
    // No running instance keeps a lease this long.
    if (hurry && quiet * lookEveryMs > 3_000) {
      await ground.rows(
        "update scheduling.communications set lease_until = now() where dispatch_state = 'Sending'",
      );
      quiet = 0;
    }
    before = now;
  }
}

async function report(ground: Ground, kills: number, seconds: number) {
  const all = await ground.rows(
    'select key, dispatch_state as state from scheduling.communications where campaign_id > 0',
  );
  const [rate] = await ground.rows(
    `select count(*) / extract(epoch from max(completed_at) - min(send_at))::float8 as per_second
     from scheduling.communications where dispatch_state = 'Sent' and attempts = 1 and campaign_id > 0`,
  );
  const [events] = await ground.rows(
    `select count(*)::int as unpublished from scheduling.communications c
     left join (
       select payload ->> 'subject' as subject, count(*) as times from scheduling.outbox
       where subject like '%communication.dispatched' group by 1
     ) event on event.subject = 'communication/' || c.id
     where event.times is distinct from 1`,
  );
  const { mail, carrier } = ground.carriers;
  const received = new Map([...mail.received(), ...carrier.received()].map((one) => [one.key, one]));
  const mails = Map.groupBy(mail.messageIds(), (id) => id.replace(/^<|@.*$/g, ''));
  const arrived = all.map(({ key }) => received.get(key));
  const acceptedTimes = (key: string) => mails.get(key)?.length ?? received.get(key)?.accepted ?? 0;
  return {
    communications: all.length,
    kills,
    seconds,
    perSecond: Number(rate?.per_second ?? 0),
    missing: arrived.filter((one) => !one?.accepted).length,
    twice: all.filter(({ key }) => acceptedTimes(key) > 1).length,
    repeated: arrived.reduce((sum, one) => sum + Math.max(0, (one?.arrivals ?? 0) - 1), 0),
    failed: all.filter(({ state }) => state !== 'Sent').length,
    unpublished: Number(events?.unpublished),
  };
}
