import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../system/api.ts';
import type { Agent, Team } from './agents.ts';
import { ok, type Patient } from './client.ts';
import { probes } from './outages.ts';

/** What every client was told. The name of a record is nowhere else; null says that it was removed. */
export interface Journal {
  readonly contacts: Map<string, Json | null>;
  readonly tasks: Map<string, Json | null>;
  /** By lead, who claimed it. */
  readonly leads: Map<number, number>;
  reads: number;
}

export interface Work {
  readonly journal: Journal;
  readonly team: Team;
  readonly isOver: () => boolean;
  readonly chance: () => number;
  readonly note: (finding: string) => void;
}

export const newJournal = (): Journal => ({
  contacts: new Map(),
  tasks: new Map(),
  leads: new Map(),
  reads: 0,
});

let names = 0;

/** Writes and reads at once what was acknowledged, as some clients at the same time, until the run is over. */
export async function writeAndRead(work: Work): Promise<void> {
  const { team, isOver, chance, note } = work;
  const repeat = async (turn: (agent: Agent) => Promise<void>, agent: Agent) => {
    while (!isOver()) {
      await turn(agent).catch((error: unknown) => note(`a client was stopped: ${error}`));
      await sleep(50 + chance() * 200);
    }
  };
  await Promise.all(
    team.members.flatMap((agent) => [
      repeat((one) => keepsRecord(work, one, '/contacts', 'contacts'), agent),
      repeat((one) => keepsRecord(work, one, '/tasks', 'tasks'), agent),
      repeat(() => claimedOnce(work), agent),
    ]),
  );
}

/** Asks each service something again and again, until the run is over. */
export async function readEverywhere(
  { get }: Patient,
  isOver: () => boolean,
  note: (finding: string) => void,
): Promise<void> {
  await Promise.all(
    Object.values(probes).map(async (path) => {
      while (!isOver()) {
        const { status } = await get(path);
        if (status !== 200) note(`${path} was answered with ${status}`);
        await sleep(100);
      }
    }),
  );
}

const fields = {
  contacts: { name: 'first_name', changing: 'last_name', draft: {} },
  tasks: { name: 'description', changing: 'notes', draft: { status: 'incomplete', action_type: 'None' } },
} as const;

/** Creates a record, changes it, and removes every third. After each step it must be what was answered. */
async function keepsRecord(
  { journal, note, chance }: Work,
  agent: Agent,
  path: string,
  kind: 'contacts' | 'tasks',
): Promise<void> {
  names += 1;
  const own = `${kind}-${names}`;
  const { name, changing, draft } = fields[kind];
  const created = await ok(agent.write('POST', path, { ...draft, [name]: own, [changing]: 'first' }));
  journal[kind].set(own, created);
  await isShown(agent, `${path}/${created.id}`, created);
  const { body } = await agent.get(`${path}?${name}=${own}`);
  if (body.total !== 1) note(`stale: ${path} lists ${body.total} of ${own} after it was added`);
  const changed = await ok(agent.write('PATCH', `${path}/${created.id}`, { [changing]: 'second' }));
  journal[kind].set(own, changed);
  await isShown(agent, `${path}/${created.id}`, changed);
  if (chance() > 1 / 3) return;
  await ok(agent.write('DELETE', `${path}/${created.id}`));
  journal[kind].set(own, null);
  const { status } = await agent.get(`${path}/${created.id}`);
  if (status !== 404) note(`stale: ${path}/${created.id} is shown with ${status} after it was removed`);

  async function isShown({ get }: Patient, where: string, expected: Json) {
    journal.reads += 1;
    const { status, body } = await get(where);
    const isSame = [name, changing, 'modified_at'].every((field) => body[field] === expected[field]);
    if (status !== 200 || !isSame)
      note(`stale: ${where} is ${status} ${JSON.stringify(body)} after ${JSON.stringify(expected)}`);
  }
}

/** Submits a lead and has three members claim it at the same time. */
async function claimedOnce({ journal, team, note, chance }: Work): Promise<void> {
  const { creator, source_id, members } = team;
  const contact = await ok(creator.write('POST', '/contacts', { first_name: 'Lead' }));
  const lead = await ok(creator.write('POST', '/leads', { contact_id: contact.id, source_id }));
  const path = `/leads/${lead.id}`;
  await ok(creator.write('POST', `${path}/offers`, {}));
  const first = Math.floor(chance() * members.length);
  const claimants = [...members.slice(first), ...members].slice(0, Math.min(3, members.length));
  const answers = await Promise.all(
    claimants.map(async (agent) => ({ agent, ...(await claimed(agent, path)) })),
  );
  const winners = answers.filter(({ status }) => status === 200);
  const [winner] = winners;
  if (!winner || winners.length > 1) {
    const told = JSON.stringify(answers.map(({ status, body }) => [status, body.message]));
    return note(`${path} was claimed ${winners.length} times: ${told}`);
  }
  journal.leads.set(lead.id, winner.agent.id);
  for (const { agent, status, body } of answers) {
    const told = (body.errors as Json | undefined)?.claimed_by_user_id;
    if (agent.id !== winner.agent.id && (status !== 409 || Number(told) !== winner.agent.id))
      note(`${path} of ${winner.agent.id}: another claimant was told ${status} ${JSON.stringify(body)}`);
  }
}

/** The clock of another instance may be behind, so that for it the lead is offered a little later. */
async function claimed({ write }: Agent, lead: string) {
  for (let attempt = 1; ; attempt++) {
    const answer = await write('POST', `${lead}/claim`, {});
    if (answer.status !== 403 || attempt === 20) return answer;
    await sleep(500);
  }
}
