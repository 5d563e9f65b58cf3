import type { teamRemoved } from '@crm/events';
import type { Hearing } from '@crm/messaging';
import type { z } from 'zod';
import { removeOptions } from './remove-options.ts';

/** Nobody sees them any more since the team is gone; this only takes the rows away. */
export async function removeOptionsWhenTeamRemoved(
  hearing: Hearing<z.output<(typeof teamRemoved)['data']>>,
): Promise<void> {
  await removeOptions(hearing, { team_id: hearing.event.data.team_id });
}
