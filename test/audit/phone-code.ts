import { createHmac } from 'node:crypto';
import type { System } from '../system.ts';

/** The six digits that a user would get for the number that waits for confirmation. */
export async function phoneCodeOf({ rows, phoneCodeKey }: System, userId: number): Promise<string> {
  const text = 'select key from phone_codes where user_id = $1 order by id desc limit 1';
  const [row] = await rows('identity', text, [userId]);
  const digest = createHmac('sha256', phoneCodeKey).update(`phone code ${row?.key}`).digest();
  return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}
