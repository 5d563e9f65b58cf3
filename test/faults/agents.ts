import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from '@crm/contract';
import type { Json } from '../system/api.ts';
import { type Clients, ok, type Patient } from './client.ts';
import type { System } from './system.ts';

export interface Agent extends Patient {
  readonly id: number;
  readonly token: string;
}

const attemptMs = 15_000;
const attempts = 200;

/** Repeats a request of the operator until it has an answer. */
export async function patiently<Result>(
  request: (options: { idempotencyKey: string; signal: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const idempotencyKey = randomUUID();
  for (let attempt = 1; ; attempt++) {
    try {
      return await request({ idempotencyKey, signal: AbortSignal.timeout(attemptMs) });
    } catch (error) {
      const isAnswer = error instanceof Refused && error.retryAfter === undefined;
      if (isAnswer || attempt === attempts) throw error;
      await sleep(200);
    }
  }
}

export async function newAgent({ operator }: System, clients: Clients): Promise<Agent> {
  const name = randomUUID();
  const account = { email: `${name}@example.com`, first_name: 'Ada', last_name: 'Byron' };
  const { id } = await patiently((options) =>
    operator.users.create({ ...account, phone: '+16045550142' }, options),
  );
  // What returns a secret takes no key; a second token does no harm.
  const { access_token: token } = await patiently(({ signal }) =>
    operator.tokens.create({ user: id }, { signal }),
  );
  return { id, token, ...clients.as(token) };
}

/** Agents who are members of a team of the first, and are offered its leads. */
export async function newTeam(system: System, clients: Clients, count: number) {
  const members = await Promise.all(Array.from({ length: count }, () => newAgent(system, clients)));
  const [creator, ...others] = members;
  if (!creator) throw new Error('A team has at least one member.');
  const team = await ok(creator.write('POST', '/teams', { name: 'North', order_method: 'Time' }));
  for (const { id, write } of others) {
    const invitation = await patiently((options) =>
      system.operator.teamMembers.invite({ team_id: team.id, user_id: id }, options),
    );
    await ok(write('PATCH', `/team-members/${invitation.id}`, { request_status: 'Accepted' }));
  }
  for (const { id } of members) {
    const option = { team_id: team.id, user_id: id, assign_automatically: false };
    await ok(creator.write('POST', '/team-member-distribution-options', option));
  }
  const source_id = await routed(creator, team.id);
  return { members, creator, source_id };
}

export type Team = Awaited<ReturnType<typeof newTeam>>;

/** Routes the leads of a source to the team, and returns the source. */
async function routed(creator: Agent, team_id: number): Promise<number> {
  const firstOf = async (path: string): Promise<number> => {
    for (;;) {
      const { body } = await creator.get(path);
      const [first] = body.data as readonly Json[];
      if (first) return Number(first.id);
      await sleep(200);
    }
  };
  const campaign = await ok(creator.write('POST', '/campaigns', { name: 'Leads' }));
  const lead_source_id = await firstOf('/lead-sources?name=Zillow');
  const route = {
    campaign_id: campaign.id,
    lead_source_id,
    contact_source_id: await firstOf('/contact-sources?name=Zillow'),
    distribution_target: 'Team Rollout',
    team_selection_method: 'Specific Team',
    team_id,
  };
  await ok(creator.write('POST', '/lead-routes', route));
  return lead_source_id;
}
