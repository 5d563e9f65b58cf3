import { setTimeout as sleep } from 'node:timers/promises';
import { newTeam } from './agents.ts';
import { checkEvents } from './check-events.ts';
import { checkRecords } from './check-records.ts';
import { checkSendings } from './check-sendings.ts';
import { patientClients } from './client.ts';
import { chances, type FaultKind, planOf } from './faults.ts';
import { type Injected, inject } from './inject.ts';
import { longestOutage, watchServices } from './outages.ts';
import { type Story, tellStories } from './stories.ts';
import { openSystem } from './system.ts';
import { newJournal, writeAndRead } from './writes.ts';

export interface RunOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly kinds: readonly FaultKind[];
  readonly honoursKeys: boolean;
  readonly killShare?: number;
  /** For how long a client repeats a request. On a machine that starts processes all the time it may take minutes. */
  readonly patienceMs?: number;
  readonly longestMs?: number;
  readonly agents?: number;
  readonly crashChance?: number;
  /** The share of the answers of the providers that are lost. */
  readonly lost?: number;
  /** Ends leases that no running process needs, for a test that cannot wait for them to expire. */
  readonly hurry?: boolean;
  readonly note?: (finding: string) => void;
  readonly progress?: (step: string) => void;
}

/** Runs the system under faults, with clients, campaigns and contacts that object, and says what went wrong. */
export async function runUnderFaults(options: RunOptions, cleanup: AsyncDisposableStack) {
  const { seed, seconds, kinds, honoursKeys, killShare = 1, agents = 4, hurry = false, patienceMs } = options;
  const findings: string[] = [];
  const note = (finding: string) => {
    findings.push(finding);
    options.note?.(finding);
  };
  const system = await openSystem(cleanup, {
    honoursKeys,
    hasSmallDisk: kinds.includes('disk full'),
    crashChance: options.crashChance ?? 0,
    drainSeconds: 0.5,
    note,
  });
  const clients = patientClients({ urls: system.gateways, note, patienceMs });
  cleanup.defer(clients.close);
  const team = await newTeam(system, clients, agents);
  const chance = chances(seed);
  system.ledger.lose(options.lost ?? 0.02, chances(seed + 1));

  const progress = options.progress ?? (() => undefined);
  progress('started');
  const end = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > end;
  const injected: Injected[] = [];
  const successes: Parameters<typeof watchServices>[2] = [];
  const stories: Story[] = [];
  const journal = newJournal();
  const work = { team, isOver, chance, note };
  await Promise.all([
    inject(system, planOf({ ...options, killShare }), injected, isOver),
    watchServices(clients, team.creator.token, successes, isOver),
    writeAndRead({ ...work, journal }),
    tellStories({ ...work, system, clients, stories }),
  ]);
  progress('over; waiting until everything is settled');
  await recovered(system);
  const sendings = await checkSendings(system, stories, { honoursKeys, hurry });
  // Waits until each event is handled, also those that come again because the process that had them was killed.
  const events = await checkEvents(system);
  for (const finding of [...sendings.found, ...events, ...(await checkRecords(system, journal))])
    note(finding);
  return {
    findings,
    seed,
    seconds,
    honoursKeys,
    faults: Object.fromEntries(
      kinds.map((kind) => [kind, injected.filter((one) => one.kind === kind).length]),
    ),
    requests: clients.counts,
    records: { contacts: journal.contacts.size, tasks: journal.tasks.size, leads: journal.leads.size },
    readsAfterWrites: journal.reads,
    stories: stories.length,
    communications: sendings.communications,
    accepted: sendings.accepted,
    lostAnswers: system.ledger.lost(),
    lastAfterEnd: sendings.last,
    outageAfterOneKill: longestOutage(
      successes,
      injected,
      [...system.instances.values()].flatMap(({ absences }) => absences()),
    ),
  };
}

/** Returns when all processes are ready again. */
async function recovered({ instances }: Awaited<ReturnType<typeof openSystem>>): Promise<void> {
  for (const some of instances.values()) while (some.urls().length < 2) await sleep(100);
}
