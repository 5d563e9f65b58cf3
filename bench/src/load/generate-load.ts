import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { type CaseName, caseOf, type HttpRequest, type Sender } from '../cases.ts';
import { cpuTimes, residentMiB } from '../cpu.ts';

/** What to send to whom. */
export interface LoadOrder {
  readonly url: string;
  readonly case: CaseName;
  readonly connections: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly agents: readonly Sender[];
  /** What connections take for the latest response before their first request, as far as the case needs it. */
  readonly starts: readonly string[];
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
  const connections = Array.from({ length: order.connections }, (_, index) =>
    keepSending(order, progress, order.starts[index] ?? ''),
  );
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

async function keepSending(order: LoadOrder, progress: Progress, start: string): Promise<void> {
  const client = new Client(order.url, { pipelining: 1 });
  const { before, requestOf } = caseOf(order.case);
  let latest: Buffer = Buffer.from(start);
  while (!progress.isStopping) {
    const agent = order.agents[Math.floor(Math.random() * order.agents.length)] as Sender;
    try {
      if (before) latest = await send(client, agent, before(agent));
      const sentAt = performance.now();
      latest = await send(client, agent, requestOf(agent, latest));
      if (progress.isMeasuring) progress.durations.push(performance.now() - sentAt);
    } catch (error) {
      progress.errors.push(error instanceof Error ? error.message : String(error));
      // What fails at once would otherwise fail thousands of times.
      await sleep(10);
    }
  }
  await client.close();
}

/** Returns the body of the response, and throws unless the request succeeds. */
async function send(
  client: Client,
  { token }: Sender,
  { method, path, body, once, authorization = `Bearer ${token}` }: HttpRequest,
): Promise<Buffer> {
  const headers: Record<string, string> = { authorization };
  if (body) headers['content-type'] = 'application/json';
  if (once) headers['idempotency-key'] = randomUUID();
  const response = await client.request({
    method,
    path: path.replaceAll('[', '%5B').replaceAll(']', '%5D'),
    headers,
    body: body ? JSON.stringify(body) : null,
  });
  const received = Buffer.from(await response.body.arrayBuffer());
  if (response.statusCode < 300) return received;
  throw new Error(`${response.statusCode} ${received.toString().slice(0, 300)}`);
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
