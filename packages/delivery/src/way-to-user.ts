import { toE164 } from './phone.ts';

/** The channels of alerts to users, in the order in which they are tried as a fallback. */
const ways = ['Email', 'Text', 'Phone'] as const;

export type Way = (typeof ways)[number];

interface User {
  readonly phone: string | null;
  /** Undefined if an older instance responded, which did not know this field. */
  readonly has_text_alerts?: boolean;
  readonly has_call_alerts?: boolean;
  readonly is_email_unreachable?: boolean;
  readonly is_phone_unreachable?: boolean;
}

/** How an alert reaches a user. */
export interface ReachedUser {
  readonly by: Way;
  /** In E.164, for a text or a call. */
  readonly phone: string;
  /** Why the requested channel is not used. */
  readonly missed: string | null;
}

const instead: Readonly<Record<Way, string>> = {
  Email: 'An e-mail was sent instead.',
  Text: 'A text was sent instead.',
  Phone: 'A call was made instead.',
};

/** What to say about an alert that used another channel than the requested one; null if it did not. */
export const remarkOn = ({ by, missed }: ReachedUser): string | null =>
  missed === null ? null : `${missed} ${instead[by]}`;

/** How to alert a user: through the requested channel, or else the first other one that is possible; or why none is. */
export function wayToUser(
  user: User,
  wanted: Way,
  optedOut: ReadonlySet<string>,
): ReachedUser | { readonly obstacle: string } {
  const missed = obstacleTo(user, wanted, optedOut);
  const by = missed === null ? wanted : ways.find((way) => obstacleTo(user, way, optedOut) === null);
  if (by) return { by, phone: numberOf(user) ?? '', missed };
  const obstacles = [wanted, ...ways].map((way) => obstacleTo(user, way, optedOut));
  return { obstacle: [...new Set(obstacles)].join(' ') };
}

const numberOf = ({ phone }: User) => (phone ? toE164(phone) : undefined);

/** Why a user cannot be alerted through a channel; null if nothing is known to prevent it. */
function obstacleTo(user: User, way: Way, optedOut: ReadonlySet<string>): string | null {
  const { phone, has_text_alerts, has_call_alerts, is_email_unreachable, is_phone_unreachable } = user;
  if (way === 'Email') return is_email_unreachable ? 'E-mails to the user bounce.' : null;
  if (way === 'Text' && has_text_alerts === false) return 'The user does not want texts.';
  if (way === 'Phone' && has_call_alerts === false) return 'The user does not want calls.';
  if (!phone) return 'The user has no phone number.';
  const number = numberOf(user);
  if (number === undefined) return "The user's phone number cannot be dialed.";
  if (way === 'Phone') return null;
  if (optedOut.has(number)) return "The user's phone number has opted out of texts.";
  return is_phone_unreachable ? "The user's phone number cannot receive texts." : null;
}
