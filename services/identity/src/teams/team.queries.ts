import { arrayOf, JsonText, type Query, readModel } from '@crm/data';
import { TeamFacts, TeamView } from './team.api.ts';
import { visibleTeams } from './team.policy.ts';

interface NewTeam {
  readonly id: number;
  readonly creator_user_id: number;
  readonly created_at: Date;
}

const shape = {
  table: 'teams',
  visible: visibleTeams,
  hidden: { creator_user_id: { kind: 'integer', sql: 'teams.creator_user_id' } },
} satisfies Parameters<typeof readModel>[1];

export const teamRows = readModel(TeamView, shape);

const acceptedUserIds = `(
  select coalesce(json_agg(m.user_id order by m.user_id), '[]')
  from team_members m
  join users u on u.id = m.user_id and u.disabled_at is null
  join users c on c.id = teams.creator_user_id and c.disabled_at is null
  where m.team_id = teams.id and m.request_status = 'Accepted'
)`;

const teamFacts = readModel(TeamFacts, { ...shape, nested: { accepted_user_ids: acceptedUserIds } });

/** Makes the creator of a team its first member. */
export async function addCreator(query: Query, { id, creator_user_id, created_at }: NewTeam): Promise<void> {
  await query(
    `insert into team_members (team_id, user_id, request_status, created_at, modified_at)
     values ($1, $2, 'Accepted', $3, $3)`,
    [id, creator_user_id, created_at],
  );
}

/** The teams with these ids that exist, as a JSON array in the order of ids. */
export function teamsByIds(query: Query, ids: readonly number[]): Promise<JsonText> {
  return factsWhere(query, 'teams.id = any($1::int[])', ids);
}

/** The teams that a user has created, in the order of ids, which is the order of their creation. */
export function teamsCreatedBy(query: Query, userId: number): Promise<JsonText> {
  return factsWhere(query, 'teams.creator_user_id = $1::int', userId);
}

async function factsWhere(query: Query, condition: string, value: unknown): Promise<JsonText> {
  const [row] = await query(`select ${arrayOf(teamFacts, condition)}::text as body`, [value]);
  return new JsonText(String(row?.body));
}
