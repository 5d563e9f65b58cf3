import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { type CaseName, caseOf } from '../cases.ts';
import { cpuTimes, residentMiB } from '../cpu.ts';
import type { Agent } from '../seed/rows.ts';

/** What to send to whom. */
export interface LoadOrder {
  readonly url: string;
  readonly case: CaseName;
  readonly connections: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly agents: readonly Agent[];
  readonly serverPid: number;
  readonly postmasterPid: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor milliseconds per request. */
  readonly serverCpu: number;
  readonly postgresCpu: number;
  readonly natsCpu: number;
  readonly memoryMiB: number;
  readonly errors: readonly string[];
}

interface Progress {
  isMeasuring: boolean;
  isStopping: boolean;
  readonly durations: number[];
  readonly errors: string[];
}

/** A closed loop: each connection sends its next request when it has the whole response to the one before. */
export async function generateLoad(order: LoadOrder): Promise<LoadResult> {
  const progress: Progress = { isMeasuring: false, isStopping: false, durations: [], errors: [] };
  const connections = Array.from({ length: order.connections }, () => keepSending(order, progress));
  await sleep(order.warmUpSeconds * 1_000);
  const before = timesNow(order);
  progress.isMeasuring = true;
  await sleep(order.seconds * 1_000);
  progress.isMeasuring = false;
  const after = timesNow(order);
  const memoryMiB = residentMiB(order.serverPid, order.postmasterPid);
  progress.isStopping = true;
  await Promise.all(connections);
  return { ...resultOf(progress, before, after), memoryMiB, errors: progress.errors.slice(0, 3) };
}

async function keepSending(order: LoadOrder, progress: Progress): Promise<void> {
  const client = new Client(order.url, { pipelining: 1 });
  while (!progress.isStopping) {
    const start = performance.now();
    const error = await send(client, order);
    if (error !== undefined) progress.errors.push(error);
    else if (progress.isMeasuring) progress.durations.push(performance.now() - start);
    // What fails at once would otherwise fail thousands of times.
    if (error !== undefined) await sleep(10);
  }
  await client.close();
}

/** Answers with what went wrong. */
async function send(client: Client, order: LoadOrder): Promise<string | undefined> {
  const agent = order.agents[Math.floor(Math.random() * order.agents.length)] as Agent;
  const { method, path, body, once } = caseOf(order.case).requestOf(agent);
  const headers: Record<string, string> = { authorization: `Bearer ${agent.token}` };
  if (body) headers['content-type'] = 'application/json';
  if (once) headers['idempotency-key'] = randomUUID();
  try {
    const response = await client.request({
      method,
      path: path.replaceAll('[', '%5B').replaceAll(']', '%5D'),
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    const received = await response.body.arrayBuffer();
    if (response.statusCode < 300) return undefined;
    return `${response.statusCode} ${Buffer.from(received).toString().slice(0, 300)}`;
  } catch (error) {
    return String(error);
  }
}

const timesNow = ({ serverPid, postmasterPid }: LoadOrder) => ({
  cpu: cpuTimes(serverPid, postmasterPid),
  at: performance.now(),
});

type Times = ReturnType<typeof timesNow>;

function resultOf({ durations }: Progress, before: Times, after: Times) {
  const requests = durations.length;
  const sorted = durations.toSorted((a, b) => a - b);
  const share = (part: number) => sorted[Math.min(requests - 1, Math.floor(requests * part))] ?? 0;
  const cpu = (name: keyof Times['cpu']) => (after.cpu[name] - before.cpu[name]) / Math.max(1, requests);
  return {
    requests,
    perSecond: (requests * 1_000) / (after.at - before.at),
    p50: share(0.5),
    p99: share(0.99),
    serverCpu: cpu('server'),
    postgresCpu: cpu('postgres'),
    natsCpu: cpu('nats'),
  };
}
