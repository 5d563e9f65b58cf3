import type { teamMemberAnswered, teamMemberRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { removeOptions } from './remove-options.ts';

type Answered = z.output<(typeof teamMemberAnswered)['data']>;
type Removed = z.output<(typeof teamMemberRemoved)['data']>;

/** Only accepted members are offered leads. A member who declines and accepts again starts without an option. */
export async function removeOptionWhenMemberDeclined(delivery: Delivery<Answered>): Promise<void> {
  const { team_id, user_id, request_status } = delivery.event.data;
  if (request_status !== 'Accepted') await removeOptions(delivery, { team_id, user_id });
}

export async function removeOptionWhenMemberRemoved(delivery: Delivery<Removed>): Promise<void> {
  const { team_id, user_id } = delivery.event.data;
  await removeOptions(delivery, { team_id, user_id });
}
