import { createHmac, timingSafeEqual } from 'node:crypto';

const letters = { Email: 'e', Text: 't', Phone: 'p' } as const;
type LinkChannel = keyof typeof letters;

/** The permission in a link: one member may claim one lead. Also names the channel of the alert. */
export interface ClaimGrant {
  readonly lead_id: number;
  readonly user_id: number;
  readonly via: LinkChannel;
}

/** The number of days for which a link is valid after its alert was due. */
const daysValid = 14;

const form =
  /^(?<grant>(?<lead>[1-9]\d{0,9})-(?<user>[1-9]\d{0,9})-(?<letter>[etp])-(?<until>[0-9a-z]{1,9}))-(?<seal>[\w-]{22})$/;

/** A short text for a URL, signed with the key. It is always the same for the same alert. */
export function claimToken(key: string, { lead_id, user_id, via }: ClaimGrant, dueSeconds: number): string {
  const until = Math.floor(dueSeconds) + daysValid * 86_400;
  const grant = `${lead_id}-${user_id}-${letters[via]}-${until.toString(36)}`;
  return `${grant}-${sealOf(key, grant)}`;
}

/** The permission in a token; undefined if it was not signed with the key or has expired. */
export function readClaimToken(key: string, token: string, now: Date): ClaimGrant | undefined {
  const read = form.exec(token)?.groups;
  if (!read) return undefined;
  const { grant = '', lead, user, letter, until = '', seal = '' } = read;
  if (!timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(key, grant)))) return undefined;
  if (Number.parseInt(until, 36) * 1000 <= now.getTime()) return undefined;
  const via = (Object.keys(letters) as LinkChannel[]).find((channel) => letters[channel] === letter);
  return via && { lead_id: Number(lead), user_id: Number(user), via };
}

/** Half of the digest is enough: 128 bits cannot be guessed, and a text message has little space. */
function sealOf(key: string, grant: string): string {
  const digest = createHmac('sha256', key).update(`claim link ${grant}`).digest();
  return digest.subarray(0, 16).toString('base64url');
}
