import { randomUUID } from 'node:crypto';
import { Client } from 'undici';
import { cpuTimes } from '../cpu.ts';
import type { OurSystem } from '../start-system.ts';

/** A system that records as much of the traces as it is told to, and who asks it. */
export interface Recording {
  readonly system: OurSystem;
  readonly token: string;
  readonly record: (share: Share) => Promise<void>;
}

export const shares = ['off', '0', '0.05', '1'] as const;
export type Share = (typeof shares)[number];

interface Plan {
  readonly rounds: number;
  readonly requests: number;
}

interface TracedRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

const newContact = (): TracedRequest => ({
  method: 'POST',
  path: '/contacts',
  body: { first_name: 'Renata', last_name: 'Quist', email: `renata.${randomUUID()}@example.com` },
});

export const cases: Readonly<Record<string, () => TracedRequest>> = {
  'A list of 25 contacts': () => ({ method: 'GET', path: '/contacts?%24limit=25' }),
  'A new contact': newContact,
};

const connections = 8;

/**
 * The least processor milliseconds per request of all rounds, by case and share. It is one process that is measured,
 * and in turns, because two of them differ by more than traces cost.
 */
export async function measureTraces(
  one: Recording,
  { rounds, requests }: Plan,
  say: (line: string) => void,
): Promise<Map<string, number>> {
  const least = new Map<string, number>();
  await ask(one, newContact, 25);
  for (const [what, asked] of Object.entries(cases)) {
    for (const share of shares) await cpuPerRequest(one, share, asked, requests);
    for (let round = 0; round < rounds; round++) {
      for (const turn of shares.keys()) {
        const share = shares[(turn + round) % shares.length] ?? 'off';
        const ms = await cpuPerRequest(one, share, asked, requests);
        const key = `${what}, ${share}`;
        least.set(key, Math.min(least.get(key) ?? Number.POSITIVE_INFINITY, ms));
        say(`${key}, round ${round + 1}: ${ms.toFixed(3)} ms`);
      }
    }
  }
  return least;
}

/** Of all processes but those of PostgreSQL and NATS, with what is sent of the traces. */
async function cpuPerRequest(one: Recording, share: Share, asked: () => TracedRequest, requests: number) {
  const now = () => cpuTimes(one.system.pid, one.system.postmasterPid).server;
  await one.record(share);
  const before = now();
  await ask(one, asked, requests);
  await one.record('off');
  return (now() - before) / requests;
}

async function ask(
  { system, token }: Recording,
  asked: () => TracedRequest,
  requests: number,
): Promise<void> {
  let left = requests;
  const sending = Array.from({ length: connections }, async () => {
    const client = new Client(system.url);
    while (left-- > 0) await send(client, token, asked());
    await client.close();
  });
  await Promise.all(sending);
}

async function send(client: Client, token: string, { method, path, body }: TracedRequest): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await client.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
  await response.body.dump();
  if (response.statusCode >= 300) throw new Error(`The system responded with ${response.statusCode}.`);
}
