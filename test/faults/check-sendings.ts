import { setTimeout as sleep } from 'node:timers/promises';
import type { Accepted } from './carrier.ts';
import { type End, ends, messages, type Story } from './stories.ts';
import type { System } from './system.ts';

/** How long a request may be on its way to a provider once it has begun: the delay that faults add to a link, twice. */
const onTheWayMs = 500;

/**
 * A row that nobody knows the outcome of is asked about for three minutes; the sixth attempt is ten minutes away from
 * the fifth.
 */
const patienceMs = 840_000;

/** Texts that wait for somebody to decide whether they continue. */
const isPaused = "(dispatch_state = 'Scheduled' and coalesce(dispatch_reason, '') like 'The contact asked%')";

/** E-mails that a mail server may have accepted before they were stopped: it cannot be asked. */
const isLeftOpen = "(dispatch_state = 'Unknown' and type = 'Email Contact')";

/** Texts that a provider did not accept, which it was asked about. They are not sent again to one that ignores keys. */
const isNotAccepted =
  "(dispatch_state = 'Failed' and dispatch_reason like 'The provider did not accept it:%')";

interface Sent {
  readonly contact_id: number;
  readonly key: string;
  readonly state: string;
  readonly type: string;
  readonly reason: string | null;
  readonly may_be_open: boolean;
  readonly is_not_accepted: boolean;
}

export interface SendingReport {
  readonly found: string[];
  readonly communications: number;
  readonly accepted: number;
  /** By what ended the stories: how many seconds after its acknowledgement the last message was accepted. */
  readonly last: Partial<Record<End, number>>;
}

/** Compares what the providers have accepted with what was promised, and with what is shown. */
export async function checkSendings(
  system: System,
  stories: readonly Story[],
  { honoursKeys, hurry }: { readonly honoursKeys: boolean; readonly hurry: boolean },
): Promise<SendingReport> {
  await outcomesKnown(system, hurry);
  const all = (await system.rows(
    'scheduling',
    `select key::text, contact_id, dispatch_state as state, type, dispatch_reason as reason,
       ${isPaused} or ${isLeftOpen} as may_be_open, ${isNotAccepted} as is_not_accepted
     from communications`,
  )) as unknown as readonly Sent[];
  const accepted = system.ledger.accepted();
  const late = tooLate(stories, accepted);
  const notAccepted = honoursKeys ? [] : all.filter((one) => one.is_not_accepted);
  return {
    found: [
      ...comparedWithLedger(all, accepted, honoursKeys),
      ...late.found,
      ...unfinished(stories, accepted, [...notAccepted, ...lostEmails(all, accepted)]),
    ],
    communications: all.length,
    accepted: accepted.length,
    last: late.last,
  };
}

/** Waits until no outcome is missing; in a hurry, leases and pauses that no running process needs are ended. */
async function outcomesKnown({ rows }: System, hurry: boolean): Promise<void> {
  const deadline = performance.now() + patienceMs;
  const open = `dispatch_state in ('Scheduled', 'Sending', 'Unknown') and not ${isPaused} and not ${isLeftOpen}`;
  for (let round = 1; performance.now() < deadline; round++) {
    const [row] = await rows('scheduling', `select count(*)::int as count from communications where ${open}`);
    if (row?.count === 0) return;
    await sleep(500);
    if (!hurry || round % 10 !== 0) continue;
    await rows(
      'scheduling',
      "update communications set next_attempt_at = now() where dispatch_state = 'Scheduled'",
    );
    if (round % 50 !== 0) continue;
    await rows(
      'scheduling',
      "update communications set lease_until = now() where dispatch_state = 'Sending'",
    );
    // What the provider does not list now, it will never list.
    await rows(
      'scheduling',
      `update communications set next_attempt_at = now(), begun_at = begun_at - interval '5 minutes'
       where dispatch_state = 'Unknown' and not ${isLeftOpen}`,
    );
  }
}

/** Each outcome must be that of the provider, and no key may stand for two messages. */
function comparedWithLedger(
  all: readonly Sent[],
  accepted: readonly Accepted[],
  honoursKeys: boolean,
): string[] {
  const found: string[] = [];
  const times = Map.groupBy(accepted, ({ key }) => key);
  for (const { key, state, type, reason, may_be_open } of all) {
    const count = times.get(key)?.length ?? 0;
    if (!may_be_open && !['Sent', 'Failed', 'Dropped'].includes(state))
      found.push(`open: ${key} is ${state} at the end`);
    if (state !== 'Unknown' && (state === 'Sent') !== count > 0)
      found.push(`wrong outcome: ${key} (${type}) is ${state} (${reason}), and was accepted ${count} times`);
  }
  for (const [key, some] of times) {
    // A provider that honours keys, and a mailbox that knows the Message-ID, keep the first.
    const isKnown = honoursKeys || some[0]?.channel === 'email';
    if (some.length > 1 && !isKnown) found.push(`twice: ${key} was accepted ${some.length} times`);
  }
  return found;
}

function tooLate(stories: readonly Story[], accepted: readonly Accepted[]) {
  const found: string[] = [];
  const last: Partial<Record<End, number>> = {};
  const byDestination = Map.groupBy(accepted, ({ to }) => to);
  for (const { end, phone, email, contact_id, endedAt } of stories) {
    const promise = ends[end];
    if (!promise || endedAt === undefined) continue;
    const channels: readonly string[] = promise.channels;
    const own = [phone, email].flatMap((to) => byDestination.get(to) ?? []);
    for (const { channel, key, at } of own.filter((one) => channels.includes(one.channel))) {
      const seconds = (at - endedAt) / 1_000;
      last[end] = Math.max(last[end] ?? 0, seconds);
      if (at > endedAt + promise.seconds * 1_000 + onTheWayMs)
        found.push(`too late: ${channel} ${key} to contact ${contact_id}, ${seconds} s after "${end}"`);
    }
  }
  return { found, last };
}

/** E-mails of which so many answers were lost that they are not sent again, and none of which was accepted. */
function lostEmails(all: readonly Sent[], accepted: readonly Accepted[]): Sent[] {
  const keys = new Set(accepted.map(({ key }) => key));
  return all.filter(
    ({ state, type, key }) => state === 'Unknown' && type === 'Email Contact' && !keys.has(key),
  );
}

/** What nothing has ended must arrive completely, except what is rightly shown as not accepted or unknown. */
function unfinished(
  stories: readonly Story[],
  accepted: readonly Accepted[],
  notAccepted: readonly Sent[],
): string[] {
  const keysTo = (to: string) => new Set(accepted.filter((one) => one.to === to).map(({ key }) => key)).size;
  return stories
    .filter(({ end }) => end === 'nothing')
    .flatMap(({ phone, email, contact_id }) => {
      const arrived = keysTo(phone) + keysTo(email);
      const known = notAccepted.filter((one) => one.contact_id === contact_id).length;
      return arrived + known === messages
        ? []
        : [
            `lost: contact ${contact_id} got ${arrived} of ${messages} messages, and ${known} are shown as failed`,
          ];
    });
}
