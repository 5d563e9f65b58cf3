import type pg from 'pg';
import { writeKept } from '../data-folder.ts';
import type { OurSystem } from '../start-system.ts';
import { createActivity } from './activity.ts';
import { type Account, awaitDefaultSources, createAgents } from './agents.ts';
import { withDatabase } from './database.ts';
import { fillOurs } from './fill-ours.ts';
import { copyLastActivity, fillPeers } from './fill-peers.ts';
import { type Agent, lastNameOf, sizeOf } from './rows.ts';

/** Of the contacts of an agent, so many are read and changed by their ids. */
const contactsPerAgent = 200;

/** Fills the system and the tables of the peers, unless the folder has been filled before. Answers with who sends requests. */
export async function seedSystem(
  system: OurSystem,
  folder: string,
  kept: readonly Account[] | undefined,
  contacts: number,
  say: (line: string) => void,
): Promise<Agent[]> {
  const accounts = kept ?? (await createAgents(system));
  return withDatabase(system.databaseUrl, async (db) => {
    if (!kept) await fill(db, contacts, say);
    const agents: Agent[] = [];
    for (const account of accounts) agents.push(await agentOf(db, account));
    if (!kept) {
      await createActivity(system, agents);
      await copyLastActivity(db);
      writeKept(folder, contacts, accounts);
    }
    return agents;
  });
}

async function fill(db: pg.Client, contacts: number, say: (line: string) => void): Promise<void> {
  const started = performance.now();
  await awaitDefaultSources(db);
  await fillOurs(db, sizeOf(contacts));
  await fillPeers(db);
  say(`Seeded ${contacts} contacts twice in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
}

async function agentOf(db: pg.Client, { id, token }: Account): Promise<Agent> {
  // Hidden from all others: whether another user sees a shared or assigned one depends on who that is. Claims of a run that
  // was interrupted have assigned some to the agent.
  const { rows } = await db.query<{ id: number }>(
    `select id from contacts.contacts
     where owner_user_id = $1 and coalesce(assigned_user_id, $1) = $1 and shared_user_ids = '{}'
     order by md5(id::text) limit $2`,
    [id, contactsPerAgent],
  );
  const contacts = rows.map((row) => row.id);
  return { id, token, contacts, names: [...new Set(contacts.map(lastNameOf))] };
}
