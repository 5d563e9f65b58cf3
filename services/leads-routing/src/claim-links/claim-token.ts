import { createHmac, timingSafeEqual } from 'node:crypto';

const letters = { Email: 'e', Text: 't', Phone: 'p' } as const;
type LinkChannel = keyof typeof letters;

/** What a link allows: one member may claim one lead. It also names the channel of the alert. */
export interface ClaimGrant {
  readonly lead_id: number;
  readonly user_id: number;
  readonly via: LinkChannel;
}

/** How long a link is valid after the alert was due. */
const daysValid = 14;

const form =
  /^(?<grant>(?<lead>[1-9]\d{0,9})-(?<user>[1-9]\d{0,9})-(?<letter>[etp])-(?<until>[0-9a-z]{1,9}))-(?<seal>[\w-]{22})$/;

/** A short text for a URL, signed with the key. The same alert always gets the same one. */
export function claimToken(key: string, { lead_id, user_id, via }: ClaimGrant, dueSeconds: number): string {
  const until = Math.floor(dueSeconds) + daysValid * 86_400;
  const grant = `${lead_id}-${user_id}-${letters[via]}-${until.toString(36)}`;
  return `${grant}-${sealOf(key, grant)}`;
}

/** What a token allows now, or undefined if it was not signed with the key or has expired. */
export function readClaimToken(key: string, token: string, now: Date): ClaimGrant | undefined {
  const read = form.exec(token)?.groups;
  if (!read) return undefined;
  const { grant = '', lead, user, letter, until = '', seal = '' } = read;
  if (!timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(key, grant)))) return undefined;
  if (Number.parseInt(until, 36) * 1000 <= now.getTime()) return undefined;
  const via = (Object.keys(letters) as LinkChannel[]).find((channel) => letters[channel] === letter);
  return via && { lead_id: Number(lead), user_id: Number(user), via };
}

/** Half of the digest: 128 bits cannot be guessed, and a text message has little space. */
function sealOf(key: string, grant: string): string {
  const digest = createHmac('sha256', key).update(`claim link ${grant}`).digest();
  return digest.subarray(0, 16).toString('base64url');
}
