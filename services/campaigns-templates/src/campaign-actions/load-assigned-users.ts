import { byIds, type Context } from '@crm/service';
import { identity } from '../peers.ts';

export interface CampaignActionRow {
  readonly id: number;
  readonly assigned_user_id: number | null;
}

/** Adds the assigned users. Whoever sees an action sees its user, so identity is called as the system. */
export async function loadAssignedUsers(ctx: Context, actions: readonly CampaignActionRow[]) {
  const assignees = await byIds(
    actions.map(({ assigned_user_id }) => assigned_user_id),
    async (ids) => {
      const users = await identity.asSystem(ctx).users.byIds({ ids });
      return users.map(({ id, first_name, last_name, email }) => ({ id, first_name, last_name, email }));
    },
  );
  return actions.map((action) => ({
    ...action,
    assigned_user: assignees.get(action.assigned_user_id ?? 0) ?? null,
  }));
}
