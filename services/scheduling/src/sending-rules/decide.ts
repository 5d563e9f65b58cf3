import { type CarrierOptions, numberError, type SendingRules } from '@crm/delivery';
import type { CommunicationType } from '../communications/communication-type.api.ts';
import { nextOpen } from './quiet-hours.ts';
import { callHours, stateHours } from './state-hours.ts';
import { type Contactable, whereaboutsOf } from './whereabouts.ts';

export type Rules = SendingRules & Pick<CarrierOptions, 'allowedCountries'>;

/** A message that is about to be sent, with the facts that decide whether it may be. */
export interface Situation {
  readonly type: CommunicationType;
  /** An e-mail address, or a number in E.164. */
  readonly to: string;
  readonly contact: Contactable;
  /** Why the contact must not get such messages, if that is so. */
  readonly objection: string | null;
  /** When the oldest of the contact's messages within the daily limit was sent; null while the limit is not reached. */
  readonly contactFullSince: Temporal.Instant | null;
  /** The same for the texts to the number, including those for other contacts. */
  readonly numberFullSince: Temporal.Instant | null;
  /** The same for the messages of the account. */
  readonly accountFullSince: Temporal.Instant | null;
  /** Whether the campaign has sent the same text to the same number within a day. */
  readonly isRepeated: boolean;
}

export type Decision =
  | { readonly is: 'send' }
  | { readonly is: 'move'; readonly until: Temporal.Instant; readonly because: string }
  | { readonly is: 'refuse'; readonly because: string };

export const repeatedReason = 'The campaign has sent the same text to the same number within 24 hours.';

/** Why a text waits although its contact's own limit is not reached. */
export const numberFullReason = ({ maxPerContact }: Pick<SendingRules, 'maxPerContact'>): string =>
  `the number was sent ${maxPerContact.texts} texts within 24 hours`;

/** Whether a message may be sent now, or when it may be instead, or why it may not. */
export function decide(situation: Situation, rules: Rules, now: Temporal.Instant): Decision {
  const { type, to, objection, isRepeated } = situation;
  const unfit = type === 'Email Contact' ? undefined : numberError(to, rules.allowedCountries);
  const refusal = objection ?? unfit ?? (isRepeated ? repeatedReason : undefined);
  if (refusal !== undefined) return { is: 'refuse', because: refusal };
  const { at: free, because } = whenFree(situation, rules, now);
  const open = whenOpen(situation, rules, free);
  if (!open.at) return { is: 'refuse', because: `There is no hour at which it may reach ${open.where}.` };
  if (Temporal.Instant.compare(open.at, now) <= 0) return { is: 'send' };
  const hours = open.at.equals(free) ? [] : [`it is too early or too late for ${open.where}`];
  return { is: 'move', until: open.at, because: [...because, ...hours].join(', and ') };
}

/** The first moment at which no daily limit is reached. */
function whenFree(
  { type, contactFullSince, numberFullSince, accountFullSince }: Situation,
  rules: Rules,
  now: Temporal.Instant,
) {
  const { maxPerContact, maxPerAccount } = rules;
  if (type === 'Call Contact') return { at: now, because: [] };
  const messages = type === 'Text Contact' ? 'texts' : 'emails';
  const words = type === 'Text Contact' ? 'texts' : 'e-mails';
  let at = now;
  const because: string[] = [];
  for (const [since, reason] of [
    [contactFullSince, `the contact was sent ${maxPerContact[messages]} ${words} within 24 hours`],
    [type === 'Text Contact' ? numberFullSince : null, numberFullReason(rules)],
    [accountFullSince, `the account has sent ${maxPerAccount[messages]} ${words} within 24 hours`],
  ] as const) {
    const free = since?.add({ hours: 24 });
    if (!free || Temporal.Instant.compare(free, at) <= 0) continue;
    because.push(reason);
    at = free;
  }
  return { at, because };
}

/** The first moment from `from` on at which a text, or a call that asks to call the contact, does not disturb. */
function whenOpen({ type, contact }: Situation, { quietHours }: Rules, from: Temporal.Instant) {
  if (!quietHours || type === 'Email Contact') return { at: from, where: 'the contact' };
  const whereabouts = whereaboutsOf(contact);
  const places = [...whereabouts.zones, ...whereabouts.states].join(', ');
  const hours = type === 'Call Contact' ? callHours : stateHours;
  return { at: nextOpen(whereabouts, hours, from), where: `the contact (${places})` };
}
