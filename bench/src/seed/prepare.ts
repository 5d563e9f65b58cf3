import { hash } from 'node:crypto';
import type pg from 'pg';

/** What exists only while a case that needs it is measured: no agent is in a team at other times. */
export type Needs = 'routes' | 'campaigns' | 'chains';

interface Prepared {
  /** For each agent the lead source or campaign that requests name. */
  readonly named?: ReadonlyMap<number, number>;
  /** For each connection the response that it continues from. */
  readonly starts?: readonly string[];
}

export async function prepare(db: pg.Client, needs: Needs, connections: number): Promise<Prepared> {
  if (needs === 'chains') return { starts: await addChains(db, connections) };
  const { rows } = await db.query<{ agent: number; named: number }>(
    needs === 'routes' ? addRoutes : ownCampaigns,
  );
  return { named: new Map(rows.map(({ agent, named }) => [agent, named])) };
}

const ownCampaigns =
  'select owner_user_id as agent, min(id) as named from campaigns_templates.campaigns where not is_default group by 1';

/** Leads from an agent's first lead source are offered at once to a team of the agent alone, without alerts. */
const addRoutes = `
  with campaigns as (${ownCampaigns}),
  lead_sources as (select user_id, min(id) as id from leads_routing.lead_sources group by user_id),
  contact_sources as (select user_id, min(id) as id from contacts.contact_sources group by user_id),
  new_teams as (
    insert into identity.teams (creator_user_id, name, is_contact_resource_sharing_enabled, order_method,
      mins_until_next_alert, created_at, modified_at)
    select agent, 'Bench', false, 'Rank', 5, now(), now() from campaigns returning id, creator_user_id
  ),
  members as (
    insert into identity.team_members (team_id, user_id, request_status, created_at, modified_at)
    select id, creator_user_id, 'Accepted', now(), now() from new_teams
  ),
  new_options as (
    insert into leads_routing.distribution_options (creator_user_id, team_id, user_id, rank, mins_until_lead_offer,
      assign_automatically, has_call_alert, has_text_alert, has_email_alert, created_at, modified_at)
    select creator_user_id, id, creator_user_id, 0, 0, false, false, false, false, now(), now() from new_teams
  )
  insert into leads_routing.lead_routes (creator_user_id, campaign_id, lead_source_id, contact_source_id,
    distribution_target, team_selection_method, team_id, makes_offers)
  select agent, named, lead_sources.id, contact_sources.id, 'Team Rollout', 'Specific Team', new_teams.id, true
  from campaigns join new_teams on creator_user_id = agent
  join lead_sources on lead_sources.user_id = agent join contact_sources on contact_sources.user_id = agent
  returning creator_user_id as agent, lead_source_id as named`;

/** The application that refreshes; it exists only while that is measured. */
export const clientOfChains = { id: 'be9c'.repeat(8), secret: 'bench' };

/** A refresh token for each connection, because one that is used twice ends what was issued for the same approval. */
async function addChains(db: pg.Client, connections: number): Promise<string[]> {
  const tokens = Array.from({ length: connections }, (_, index) => `bench ${index}`);
  const hashes = tokens.map((token) => hash('sha256', token));
  await db.query(
    `with client as (
      insert into identity.applications (owner_user_id, name, client_id, is_public, allows_implicit, redirect_uris,
        created_at, modified_at)
      values (1, 'Bench', $1, false, false, '{}', now(), now()) returning id
    ),
    secrets as (
      insert into identity.application_secrets (application_id, secret_hash, created_at)
      select id, $2, now() from client
    ),
    families as (
      insert into identity.token_families (application_id, user_id, scope, created_at, ends_at)
      select client.id, 1 + chain % (select count(*) from identity.users), 'read write', now(), now() + interval '1 day'
      from client, generate_series(0, $3::int - 1) chain returning id
    )
    insert into identity.refresh_tokens (family_id, token_hash, created_at, expires_at)
    select families.id, hashes.hash, now(), now() + interval '1 day'
    from (select id, row_number() over () as place from families) families
    join unnest($4::text[]) with ordinality hashes (hash, place) using (place)`,
    [clientOfChains.id, hash('sha256', clientOfChains.secret), connections, hashes],
  );
  return tokens.map((refresh_token) => JSON.stringify({ refresh_token }));
}
