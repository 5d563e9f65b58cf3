import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type CaseName, caseOf } from './cases.ts';
import type { LoadOrder, LoadResult } from './load/generate-load.ts';
import type { Options } from './options.ts';
import { withDatabase } from './seed/database.ts';
import { prepare } from './seed/prepare.ts';
import type { Agent } from './seed/rows.ts';
import type { Target, TargetName } from './targets.ts';

export interface Measurement extends LoadResult {
  readonly round: number;
  readonly target: TargetName;
  readonly case: CaseName;
  readonly connections: number;
}

interface Ground {
  readonly targets: readonly Target[];
  readonly agents: readonly Agent[];
  readonly databaseUrl: string;
  readonly postmasterPid: number;
  readonly restore: (target: Target) => Promise<void>;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

type Plan = Pick<Options, 'cases' | 'connections' | 'rounds' | 'seconds'>;

const program = fileURLToPath(new URL('load/main.ts', import.meta.url));
const run = promisify(execFile);
const warmUpSeconds = 1;

/**
 * Rounds of all cases. Within a round the targets take turns, so that what disturbs the machine disturbs all of them, and
 * each round begins with another one, so that none is always the first after a pause.
 */
export async function measure(ground: Ground, plan: Plan): Promise<Measurement[]> {
  const results: Measurement[] = [];
  await compileEverything(ground, plan);
  for (let round = 0; round < plan.rounds; round++) {
    for (const name of plan.cases) {
      for (const connections of plan.connections) {
        for (const target of inTurn(targetsOf(ground, name), round)) {
          const order = { case: name, connections, seconds: plan.seconds, warmUpSeconds };
          const result = { round, target: target.name, case: name, connections };
          results.push({ ...result, ...(await load(ground, target, order)) });
          ground.say(lineOf(results.at(-1)));
        }
      }
    }
  }
  return results;
}

/** Before the first round, every target has run every case, so that its code is compiled and its plans are cached. */
async function compileEverything(ground: Ground, { cases, seconds }: Plan): Promise<void> {
  for (const name of cases)
    for (const target of targetsOf(ground, name))
      await load(ground, target, {
        case: name,
        connections: 16,
        seconds: 1,
        warmUpSeconds: Math.min(seconds, 4),
      });
}

const targetsOf = ({ targets }: Ground, name: CaseName): readonly Target[] =>
  caseOf(name).oursOnly ? targets.filter((target) => target.name === 'ours') : targets;

const inTurn = (targets: readonly Target[], round: number): Target[] =>
  targets.map((_, index) => targets[(index + round) % targets.length] as Target);

type Load = Pick<LoadOrder, 'case' | 'connections' | 'seconds' | 'warmUpSeconds'>;

async function load(ground: Ground, target: Target, wanted: Load): Promise<LoadResult> {
  ground.signal.throwIfAborted();
  const { needs, writes } = caseOf(wanted.case);
  const { named, starts = [] } = needs
    ? await withDatabase(ground.databaseUrl, (db) => prepare(db, needs, wanted.connections))
    : {};
  const order: LoadOrder = {
    ...wanted,
    url: target.url,
    agents: ground.agents.map((agent) => ({ ...agent, named: named?.get(agent.id) })),
    starts,
    serverPid: target.pid,
    postmasterPid: ground.postmasterPid,
  };
  const running = run(process.execPath, [program], { signal: ground.signal });
  running.child.stdin?.end(JSON.stringify(order));
  const { stdout } = await running;
  if (writes) await ground.restore(target);
  return JSON.parse(stdout) as LoadResult;
}

function lineOf(result: Measurement | undefined): string {
  if (!result) return '';
  const { round, target, connections, perSecond, p50, p99, serverCpu, postgresCpu, errors } = result;
  return [
    `round ${round + 1}`,
    result.case.padEnd(13),
    String(connections).padStart(3),
    target.padEnd(12),
    `${perSecond.toFixed(0).padStart(6)}/s`,
    `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms`,
    `server ${serverCpu.toFixed(2)} PostgreSQL ${postgresCpu.toFixed(2)} ms`,
    ...errors.slice(0, 1).map((error) => `FAILED: ${error}`),
  ].join('  ');
}
