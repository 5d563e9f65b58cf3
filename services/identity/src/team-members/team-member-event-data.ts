import type { TeamMember } from './team-member.entity.ts';

export function eventData({ id, team_id, user_id, request_status }: TeamMember) {
  return { team_member_id: id, team_id, user_id, request_status };
}
