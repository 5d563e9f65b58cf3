import type { teamMemberAnswered, teamMemberRemoved } from '@crm/events';
import type { Hearing } from '@crm/messaging';
import type { z } from 'zod';
import { removeOptions } from './remove-options.ts';

type Answered = z.output<(typeof teamMemberAnswered)['data']>;
type Removed = z.output<(typeof teamMemberRemoved)['data']>;

/** Only accepted members are offered leads. Who declines and comes back begins without an option. */
export async function removeOptionWhenMemberDeclined(hearing: Hearing<Answered>): Promise<void> {
  const { team_id, user_id, request_status } = hearing.event.data;
  if (request_status !== 'Accepted') await removeOptions(hearing, { team_id, user_id });
}

export async function removeOptionWhenMemberRemoved(hearing: Hearing<Removed>): Promise<void> {
  const { team_id, user_id } = hearing.event.data;
  await removeOptions(hearing, { team_id, user_id });
}
