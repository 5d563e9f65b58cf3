import { isDeepStrictEqual } from 'node:util';
import { type CaseName, caseNames, caseOf, type HttpRequest } from './cases.ts';
import type { Agent } from './seed/rows.ts';
import type { Target } from './targets.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Comparison {
  readonly requests: number;
  readonly differences: readonly string[];
}

/** How many requests of each case are compared, each of another agent. */
const perCase = 10;

/** Sends the same requests to all targets and compares whole answers: records, their order and totals. */
export async function compareAnswers(
  targets: readonly Target[],
  agents: readonly Agent[],
): Promise<Comparison> {
  const differences: string[] = [];
  let requests = 0;
  for (const name of caseNames) {
    const { oursOnly, needs, requestOf } = caseOf(name);
    // `mixed` has nothing of its own, and nothing is comparable to what has to be prepared.
    if (name === 'mixed' || needs) continue;
    const asked = oursOnly ? targets.filter((target) => target.name === 'ours') : targets;
    for (let nth = 0; nth < perCase; nth++) {
      const agent = agents[(nth * 7) % agents.length] as Agent;
      const request = requestOf(agent, Buffer.alloc(0));
      const answers = await Promise.all(asked.map((target) => ask(target, request, agent.token)));
      requests += answers.length;
      differences.push(...differencesOf(name, asked, answers));
    }
  }
  const hidden = await hiddenRecords(targets, agents);
  return { requests: requests + hidden.requests, differences: [...differences, ...hidden.differences] };
}

function differencesOf(name: CaseName, targets: readonly Target[], answers: readonly Answer[]): string[] {
  const [first, ...others] = answers.map(({ status, body }) => ({ status, body: comparable(name, body) }));
  if (!first || first.status >= 300) return [`${name}: ours answers ${JSON.stringify(answers[0])}`];
  return others.flatMap((other, index) => {
    const path = firstDifference(first, other, '');
    return path === undefined ? [] : [`${name}: ${targets[index + 1]?.name} differs in ${path}`];
  });
}

/** Times and ids of what was just written differ, and only they may. */
function comparable(name: CaseName, body: unknown): unknown {
  if (name === 'patch') return without(body, ['modified_at']);
  if (name !== 'create') return body;
  const created = without(body, ['id', 'created_at', 'modified_at']);
  const addresses = (created.addresses as unknown[]) ?? [];
  return {
    ...created,
    addresses: addresses.map((address) => without(address, ['id', 'created_at', 'modified_at'])),
  };
}

function without(value: unknown, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(value)).filter(([name]) => !names.includes(name)));
}

/** The path of the first value that is not the same, with both values. */
function firstDifference(one: unknown, other: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  const isSimple = (value: unknown) => typeof value !== 'object' || value === null;
  if (isSimple(one) || isSimple(other)) return `${path}: ${JSON.stringify(one)}, ${JSON.stringify(other)}`;
  const [left, right] = [Object(one), Object(other)];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = firstDifference(left[key], right[key], `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return path;
}

/** Nobody else may see a contact: neither a stranger nor another user. */
async function hiddenRecords(targets: readonly Target[], [owner, another]: readonly Agent[]) {
  const differences: string[] = [];
  if (!owner || !another) return { requests: 0, differences };
  const request: HttpRequest = { method: 'GET', path: `/contacts/${owner.contacts[0]}` };
  for (const target of targets) {
    for (const [token, expected] of [
      ['crm_at_unknown', 401],
      [another.token, 404],
    ] as const) {
      const { status } = await ask(target, request, token);
      if (status !== expected) differences.push(`${target.name} answers ${status} instead of ${expected}`);
    }
  }
  return { requests: targets.length * 2, differences };
}

async function ask(
  { url }: Target,
  { method, path, body, once }: HttpRequest,
  token: string,
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(once && { 'idempotency-key': crypto.randomUUID() }),
  };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: await response.json() };
}
