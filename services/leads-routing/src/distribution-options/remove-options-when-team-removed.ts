import type { teamRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { removeOptions } from './remove-options.ts';

/** Nobody sees them any more since the team is gone; this only takes the rows away. */
export async function removeOptionsWhenTeamRemoved(
  delivery: Delivery<z.output<(typeof teamRemoved)['data']>>,
): Promise<void> {
  await removeOptions(delivery, { team_id: delivery.event.data.team_id });
}
