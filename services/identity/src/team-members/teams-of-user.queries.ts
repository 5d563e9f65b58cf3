import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';
import { nameOf } from '../users/user.queries.ts';

const Joined = z.object({
  id: z.int(),
  request_status: z.enum(['Accepted', 'Pending', 'Declined']),
  team: z.string(),
  creator: z.string(),
  is_creator: z.boolean(),
  shares_contacts: z.boolean(),
  members: z.int(),
});

/** The membership of a user in a team, as shown on the user's page. */
export type JoinedTeam = Readonly<z.output<typeof Joined>>;

/** The teams that a user has created, joined, declined or is invited to. Open invitations come first. */
export function teamsOfUser(query: Query, userId: number): Promise<JoinedTeam[]> {
  return queryRows(
    query,
    Joined,
    `select m.id, m.request_status, t.name as team,
       ${nameOf('c')} as creator,
       t.creator_user_id = m.user_id as is_creator, t.is_contact_resource_sharing_enabled as shares_contacts,
       (
         select count(*)::int from team_members o join users u on u.id = o.user_id and u.disabled_at is null
         where o.team_id = t.id and o.request_status = 'Accepted'
       ) as members
     from team_members m join teams t on t.id = m.team_id join users c on c.id = t.creator_user_id
     where m.user_id = $1
     order by array_position('{Pending,Accepted,Declined}', m.request_status::text), lower(t.name), m.id`,
    [userId],
  );
}
