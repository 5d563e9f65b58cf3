import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Instances } from '../load/instances.ts';
import { newTeam } from './agents.ts';
import { checkEvents } from './check-events.ts';
import { checkEffects, checkWrites } from './check-records.ts';
import { checkSendings } from './check-sendings.ts';
import { patientClients } from './client.ts';
import { endWhenInterrupted } from './end-when-interrupted.ts';
import { chances } from './faults.ts';
import { checkOut, commitBefore } from './release.ts';
import { printed, type StepFigures } from './rollout-table.ts';
import { type Story, tellStories } from './stories.ts';
import { openSystem } from './system.ts';
import { newJournal, readEverywhere, writeAndRead } from './writes.ts';

/**
 * Does to a system in use what an orchestrator does: upgrades it from another release and puts it back, restarts it,
 * drains it, scales it up and down, instance by instance.
 * `node test/faults/rollout.ts [--steps restart,drain] [<commit>]`; the commit is the release that it begins with,
 * `before` stands for the last one that is shared with `main`, and without one it is this release.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { steps: { type: 'string' } },
});
const given = positionals.at(-1);
const commit = given === 'before' ? commitBefore() : given;
const log = (line: string) => void process.stderr.write(`${new Date().toISOString()} ${line}\n`);

await using cleanup = new AsyncDisposableStack();
endWhenInterrupted(cleanup);
const before = commit === undefined ? undefined : checkOut(commit, cleanup);
if (before) log(`${commit} in ${before}`);

const found = new Set<string>();
const note = (finding: string) => {
  if (found.has(finding)) return;
  found.add(finding);
  log(finding);
};
const renewed = new Set<string>();
const system = await openSystem(cleanup, {
  honoursKeys: true,
  hasSmallDisk: false,
  crashChance: 0,
  folderOf: (name) => (renewed.has(name) ? undefined : before),
  note,
});
const clients = patientClients({ urls: () => [system.gatewayUrl], note, repeated: log });
cleanup.defer(clients.close);
// No answer is lost, but what is accepted is noted.
system.ledger.lose(0, chances(2));
const team = await newTeam(system, clients, 2);
const [journal, stories]: [ReturnType<typeof newJournal>, Story[]] = [newJournal(), []];
const work = { team, chance: chances(1), note };

/** A service calls only those before it, and gateways come last. */
const names = [...system.instances.keys()];
const everywhere = async (inOrder: readonly string[], act: (some: Instances) => Promise<void>) => {
  for (const name of inOrder) {
    const some = system.instances.get(name);
    if (some) await act(some);
  }
};
const renew = async () => {
  for (const name of names) {
    renewed.add(name);
    await system.instances.get(name)?.replaceEach();
  }
};
const putBack = async () => {
  for (const name of names.toReversed()) {
    renewed.delete(name);
    await system.instances.get(name)?.replaceEach();
  }
};
const all = {
  undisturbed: () => sleep(5_000),
  upgrade: renew,
  'put back': putBack,
  // At the end the services read all events of which it is checked whether they were handled.
  'upgrade again': renew,
  restart: () => everywhere(names, (some) => some.replaceEach('instance first')),
  drain: () => everywhere(names, (some) => some.replaceEach('balancer first')),
  'scale up': () => everywhere(names, (some) => some.add()),
  'scale down': () => everywhere(names.toReversed(), (some) => some.removeOne('instance first')),
} satisfies Record<string, () => Promise<void>>;
const chosen = values.steps?.split(',') ?? Object.keys(all);
for (const step of chosen) {
  if (!Object.hasOwn(all, step))
    throw new Error(`"${step}" is no step. There are: ${Object.keys(all).join(', ')}.`);
}

/** Takes a step while clients work, and then compares what they were told with what is stored. */
async function take(step: string, act: () => Promise<void>): Promise<StepFigures> {
  log(step);
  const [countsBefore, findingsBefore] = [{ ...clients.counts }, found.size];
  clients.counts.longestMs = 0;
  const progress = { isOver: false };
  const isOver = () => progress.isOver;
  const working = [writeAndRead({ ...work, journal, isOver }), readEverywhere(team.creator, isOver, note)];
  await act();
  progress.isOver = true;
  await Promise.all(working);
  for (const finding of await checkWrites(system, journal)) note(finding);
  const { requests, failed, repeated, longestMs } = clients.counts;
  return {
    step,
    requests: requests - countsBefore.requests,
    failed: failed - countsBefore.failed,
    repeated: repeated - countsBefore.repeated,
    wrong: found.size - findingsBefore,
    longestMs,
  };
}

const progress = { isOver: false };
const telling = tellStories({ ...work, isOver: () => progress.isOver, system, clients, stories });
const steps: StepFigures[] = [];
for (const [step, act] of Object.entries<() => Promise<void>>(all))
  if (chosen.includes(step)) steps.push(await take(step, act));
progress.isOver = true;
await telling;
log('over; waiting until everything is settled');
const wrongSoFar = found.size;
const sendings = await checkSendings(system, stories, { honoursKeys: true, hurry: true });
for (const finding of [
  ...sendings.found,
  ...(await checkEvents(system)),
  ...(await checkEffects(system.rows)),
])
  note(finding);
process.stdout.write(
  printed(steps, {
    messages: sendings.accepted,
    stories: stories.length,
    records: journal.contacts.size + journal.tasks.size + journal.leads.size,
    reads: journal.reads,
    wrong: found.size - wrongSoFar,
  }),
);
process.exitCode = found.size > 0 || clients.counts.failed > 0 ? 1 : 0;
