import { type Query, queryRows, storedDate } from '@crm/data';
import { z } from 'zod';

/** SQL conditions: e-mails, or texts, do not reach a user. */
export const isEmailUnreachable = `exists (
  select from unreachable_addresses gone where gone.address = lower(users.email)
)`;
export const isPhoneUnreachable =
  'exists (select from unreachable_addresses gone where gone.address = users.phone)';

interface Unreachable {
  readonly address: string;
  readonly why: string;
  readonly at: string;
}

/** Records that an address or a number is unreachable, if it belongs to a user. */
export async function noteUnreachable(query: Query, { address, why, at }: Unreachable): Promise<void> {
  await query(
    `insert into unreachable_addresses (address, why, noted_at)
     select lower($1), $2, $3::timestamptz
     where exists (select from users where lower(email) = lower($1) or phone = $1)
     on conflict do nothing`,
    [address, why, at],
  );
}

const Found = z.object({
  address: z.string(),
  why: z.string(),
  noted_at: storedDate,
  is_email: z.boolean(),
});

/** The unreachable addresses and numbers of a user. */
export function unreachableOf(query: Query, userId: number) {
  return queryRows(
    query,
    Found,
    `select gone.address, gone.why, gone.noted_at, gone.address = lower(users.email) as is_email
     from users join unreachable_addresses gone on gone.address in (lower(users.email), users.phone)
     where users.id = $1 order by gone.noted_at`,
    [userId],
  );
}

/** Forgets an unreachable address or number of a user, so that alerts are sent to it again. */
export async function forgetUnreachable(query: Query, userId: number, address: string): Promise<void> {
  await query(
    `delete from unreachable_addresses gone using users
     where users.id = $1 and gone.address = $2 and gone.address in (lower(users.email), users.phone)`,
    [userId, address],
  );
}

/** Forgets addresses and numbers that no longer belong to a user. */
export async function forgetAddressesOfNobody(query: Query): Promise<void> {
  await query(
    `delete from unreachable_addresses
     where not exists (select from users where address = lower(email))
       and not exists (select from users where address = phone)`,
    [],
  );
}
