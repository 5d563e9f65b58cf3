import { readModel } from '@crm/data';
import { TeamView } from './team.api.ts';
import { visibleTeams } from './team.policy.ts';

export const teamRows = readModel(TeamView, {
  table: 'teams',
  visible: visibleTeams,
  hidden: { creator_user_id: { kind: 'integer', sql: 'teams.creator_user_id' } },
});
