import { createClient } from '@crm/client';
import { identityApi } from '@crm/identity/api';
import type pg from 'pg';
import { requestJson } from '../request-json.ts';
import { type Account, awaitDefaultSources, createAgents } from '../seed/agents.ts';
import { withDatabase } from '../seed/database.ts';
import { fillOurs } from '../seed/fill-ours.ts';
import type { Size } from '../seed/rows.ts';
import type { OurSystem } from '../start-system.ts';
import { people, shareCount, teamSize } from './people.ts';
import type { Viewer } from './requests.ts';

const contactsPerViewer = 200;

/** Fills an empty system, and returns those who ask. */
export async function seedGrowth(system: OurSystem, size: Size, signal: AbortSignal): Promise<Viewer[]> {
  const count = people.teamMember - 1 + teamSize;
  const accounts = await createAgents(system, count);
  await makeTeam(system, accounts.slice(people.teamMember - 1));
  return withDatabase(system.databaseUrl, async (db) => {
    await awaitDefaultSources(db, count);
    await fillOurs(db, size, signal);
    const shared = await shareOne(db);
    const viewers: Viewer[] = [];
    for (const [title, id] of Object.entries(titles)) {
      const account = accounts[id - 1];
      if (!account) throw new Error(`There is no account ${id}.`);
      const own = await contactsOf(db, id);
      viewers.push({
        ...account,
        title,
        contacts: id === people.sharee ? [shared] : own,
      });
    }
    return viewers;
  });
}

const titles = {
  'an agent with 2,000': people.agent,
  [`one of ${shareCount} with whom a contact is shared`]: people.sharee,
  'an owner of half of all, up to 500,000': people.collector,
  [`a member of a team of ${teamSize}, with a fifth, up to 100,000`]: people.teamMember,
};

/** A team whose members see each other's contacts. */
async function makeTeam({ url, identityUrl, operatorToken }: OurSystem, members: readonly Account[]) {
  const identity = createClient(identityApi, { url: identityUrl, token: operatorToken });
  const [founder, ...others] = members;
  if (!founder) throw new Error('A team has a founder.');
  const body = { name: 'Office', is_contact_resource_sharing_enabled: true, mins_until_next_alert: 5 };
  const team = await requestJson(url, founder.token, { method: 'POST', path: '/teams', body });
  for (const { id, token } of others) {
    const invited = await identity.teamMembers.invite({ team_id: Number(team.id), user_id: id });
    const path = `/team-members/${invited.id}`;
    await requestJson(url, token, { method: 'PATCH', path, body: { request_status: 'Accepted' } });
  }
}

/** Shares a contact of the agent with many, of whom only the sharee has an account, and returns its id. */
async function shareOne(db: pg.Client): Promise<number> {
  const [id = 0] = await contactsOf(db, people.agent);
  await db.query(
    `with sharees as (select $2::int as user_id union all select 1000000 + generate_series(1, $3::int - 1)),
     shares as (
       insert into contacts.contact_shares (contact_id, user_id, shared_by_user_id, created_at)
       select $1, user_id, $4, now() from sharees on conflict do nothing
     )
     update contacts.contacts set shared_user_ids = (select array_agg(user_id) from sharees) where id = $1`,
    [id, people.sharee, shareCount, people.agent],
  );
  return id;
}

async function contactsOf(db: pg.Client, owner: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select id from contacts.contacts where owner_user_id = $1 and assigned_user_id is null and shared_user_ids = '{}'
     order by md5(id::text) limit $2`,
    [owner, contactsPerViewer],
  );
  return rows.map(({ id }) => id);
}
