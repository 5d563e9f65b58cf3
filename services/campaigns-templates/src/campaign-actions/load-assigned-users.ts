import type { Context } from '@crm/service';
import { identity } from '../peers.ts';

export interface CampaignActionRow {
  readonly id: number;
  readonly assigned_user_id: number | null;
}

/** Adds who is assigned. Whoever sees an action sees whom it is for, which is why the system asks. */
export async function loadAssignedUsers(ctx: Context, actions: readonly CampaignActionRow[]) {
  const assigned = actions.map(({ assigned_user_id }) => assigned_user_id).filter((id) => id !== null);
  const ids = [...new Set(assigned)];
  const users = ids.length > 0 ? await identity.asSystem(ctx).users.byIds({ ids }) : [];
  const known = new Map(
    users.map(({ id, first_name, last_name, email }) => [id, { id, first_name, last_name, email }]),
  );
  return actions.map((action) => ({
    ...action,
    assigned_user: known.get(action.assigned_user_id ?? 0) ?? null,
  }));
}
