import type { teamMemberAnswered, teamMemberRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { removeOptions } from './remove-options.ts';

/** Only accepted members are offered leads. A member who leaves and accepts again starts without an option. */
export async function removeOptionWhenMemberDeclined(
  delivery: Delivery<typeof teamMemberAnswered>,
): Promise<void> {
  const { team_id, user_id, request_status } = delivery.event.data;
  if (request_status !== 'Accepted') await removeOptions(delivery, { team_id, user_id });
}

export async function removeOptionWhenMemberRemoved(
  delivery: Delivery<typeof teamMemberRemoved>,
): Promise<void> {
  const { team_id, user_id } = delivery.event.data;
  await removeOptions(delivery, { team_id, user_id });
}
