import type { AuditEvent } from '@crm/contract';

/** Who did something, in words. */
export function whoDid({
  actor_type,
  user_id,
  act_user_id,
}: Pick<AuditEvent, 'actor_type' | 'user_id' | 'act_user_id'>): string {
  if (actor_type === 'user') return `user ${user_id}`;
  const who = actor_type === 'broker' ? `broker ${act_user_id}` : actor_type;
  return user_id === null ? who : `${who} for user ${user_id}`;
}
