import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@crm/client';
import { Refused } from '@crm/contract';
import { leadsRoutingApi } from '@crm/leads-routing/api';
import type { Ground } from './ground.ts';
import { someInstances } from './instances.ts';

export interface ClaimReport {
  readonly rounds: number;
  readonly claims: number;
  readonly kills: number;
  readonly seconds: number;
  /** Requests that were repeated because the instance was unavailable or too busy. */
  readonly repeated: number;
  /** Rounds without exactly one winner, or with a response that names another one. */
  readonly wrong: number;
}

interface Claimant {
  readonly id: number;
  readonly token: string;
}

interface Load {
  /** Called with the outcome of each round. */
  readonly note?: (round: number, isRight: boolean) => void;
  readonly rounds: number;
  /** Concurrent claims on one lead. */
  readonly claims: number;
}

/** Claims one lead many times concurrently, in rounds, on two instances of which one is killed in each round. */
export async function claimsUnderLoad(
  ground: Ground,
  people: readonly number[],
  { rounds, claims, note = () => undefined }: Load,
): Promise<ClaimReport> {
  await using cleanup = new AsyncDisposableStack();
  await ground.rows('truncate lead_alerts, lead_offers, leads cascade');
  const claimants: Claimant[] = [];
  for (const id of people) {
    claimants.push({ id, token: (await ground.operator.tokens.create({ user: id })).access_token });
  }
  const instances = await someInstances(() => ground.spawn('leads-routing'), cleanup);
  const began = performance.now();
  let wrong = 0;
  let repeated = 0;
  for (let round = 0; round < rounds; round++) {
    const lead = await offeredLead(ground, people);
    const one = async (place: number) => {
      const claimant = claimants[place % claimants.length] as Claimant;
      const { winner, attempts } = await claim(instances.urls, claimant, lead, place);
      repeated += attempts - 1;
      return winner;
    };
    await instances.ready();
    const claiming = Promise.all(Array.from({ length: claims }, (_, place) => one(place)));
    await sleep(Math.random() * 200);
    await instances.killOne();
    const winners = await claiming;
    const [row] = await ground.rows('select claimed_by_user_id as id from leads where id = $1', [lead]);
    const [winner, ...others] = new Set(winners);
    const isRight = others.length === 0 && winner === row?.id;
    if (!isRight) wrong += 1;
    note(round, isRight);
  }
  const seconds = (performance.now() - began) / 1000;
  return { rounds, claims, kills: instances.kills(), seconds, repeated, wrong };
}

async function offeredLead({ rows, addOptions }: Ground, people: readonly number[]): Promise<number> {
  await addOptions(people, false);
  const [lead] = await rows(
    `with lead as (
       insert into leads (creator_user_id, contact_id, distribution_target, team_selection_method, team_id, status,
         claimed_via, created_at)
       values ($1::int, 1, 'Team Rollout', 'Specific Team', 1, 'Offered', 'None', now()) returning id
     ), offers as (
       insert into lead_offers (lead_id, user_id, team_id, creator_user_id, rank, notify_at, assign_automatically,
         has_call_alert, has_text_alert, has_email_alert, created_at)
       select lead.id, member, 1, $1::int, 0, now(), false, false, false, false, now()
       from lead, unnest($2::int[]) member
     )
     select id from lead`,
    [people[0], people],
  );
  return Number(lead?.id);
}

/** Repeats a claim until there is a response, and returns who has the lead. */
async function claim(
  urls: () => readonly string[],
  { id, token }: Claimant,
  lead: number,
  place: number,
): Promise<{ winner: number; attempts: number }> {
  for (let attempts = 1; ; attempts++) {
    const ready = urls();
    const url = ready[(place + attempts) % ready.length];
    if (url !== undefined) {
      try {
        await createClient(leadsRoutingApi, { url, token }).leads.claim({ id: lead });
        return { winner: id, attempts };
      } catch (error) {
        if (error instanceof Refused && error.name === 'Conflict' && error.errors.claimed_by_user_id) {
          return { winner: Number(error.errors.claimed_by_user_id), attempts };
        }
        if (error instanceof Refused && !['Unavailable', 'GeneralError'].includes(error.name)) throw error;
      }
    }
    await sleep(50 + Math.random() * 200);
  }
}
