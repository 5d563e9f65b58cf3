import type { teamRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { removeOptions } from './remove-options.ts';

/** Nobody sees the options of a removed team any longer; this only deletes the rows. */
export async function removeOptionsWhenTeamRemoved(
  delivery: Delivery<z.output<(typeof teamRemoved)['data']>>,
): Promise<void> {
  await removeOptions(delivery, { team_id: delivery.event.data.team_id });
}
