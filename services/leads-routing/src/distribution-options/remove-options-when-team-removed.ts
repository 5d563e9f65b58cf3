import type { teamRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { removeOptions } from './remove-options.ts';

/** Only deletes the rows: nobody sees the options of a removed team any longer. */
export async function removeOptionsWhenTeamRemoved(delivery: Delivery<typeof teamRemoved>): Promise<void> {
  await removeOptions(delivery, { team_id: delivery.event.data.team_id });
}
