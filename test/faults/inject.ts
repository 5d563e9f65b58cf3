import { setTimeout as sleep } from 'node:timers/promises';
import type { Disturbance } from '@crm/testing';
import { cutPower } from './cut-power.ts';
import type { Fault, FaultKind } from './faults.ts';
import type { System } from './system.ts';

/** A fault that took place. */
export interface Injected {
  readonly kind: FaultKind;
  readonly what: string;
  /** Milliseconds of the monotonic clock. */
  readonly from: number;
  until: number;
}

const disturbances: Partial<Record<FaultKind, Disturbance>> = {
  latency: { delayMs: 200 },
  throttle: { bytesPerSecond: 20_000 },
  'half-open': { isSilent: true },
  cut: { isCut: true },
};

/** Some dozens of events. */
const mostLost = 30_000;

/** Lets faults happen at their times, and returns when all are over. `injected` says what has happened by then. */
export async function inject(
  system: System,
  plan: readonly Fault[],
  injected: Injected[],
  isOver: () => boolean,
): Promise<void> {
  const began = performance.now();
  await Promise.all(
    plan.map(async (fault) => {
      await sleep(Math.max(0, began + fault.atMs - performance.now()));
      if (isOver()) return;
      const chosen = workOf(system, fault);
      if (!chosen) return;
      const { what, work } = chosen;
      const one: Injected = {
        kind: fault.kind,
        what,
        from: performance.now(),
        until: Number.POSITIVE_INFINITY,
      };
      injected.push(one);
      await work();
      one.until = performance.now();
    }),
  );
}

function workOf(
  system: System,
  { kind, target, forMs }: Fault,
): { what: string; work: () => Promise<unknown> } | undefined {
  const { instances, servers, links, disk } = system;
  const [name, some] = pick([...instances], target);
  switch (kind) {
    case 'kill': {
      // One of two: what needs several services has no other place to be served.
      const complete = [...instances].filter(([, { urls }]) => urls().length > 1);
      if (complete.length === 0) return undefined;
      const [what, { killOne }] = pick(complete, target);
      return { what, work: killOne };
    }
    case 'kill both':
      return { what: name, work: () => Promise.all([some.killOne(), some.killOne()]) };
    case 'pause':
      return { what: name, work: () => some.pauseOne(forMs) };
    case 'restart PostgreSQL':
      // Its immediate shutdown, after which it recovers as after a crash.
      return { what: '', work: async () => void process.kill(servers.PostgreSQL.pid, 'SIGQUIT') };
    case 'restart NATS':
      return { what: '', work: async () => void process.kill(servers.NATS.pid, 'SIGKILL') };
    case 'power cut of NATS': {
      const bytes = target % mostLost;
      return {
        what: `${bytes} bytes of each stream`,
        work: async () => cutPower(servers.NATS.pid, disk.folder, bytes),
      };
    }
    case 'disk full':
      return { what: '', work: () => disk.fill(forMs) };
    default: {
      const [what, link] = pick([...links], target);
      const work = async () => {
        link.disturb(disturbances[kind]);
        await sleep(forMs);
        link.disturb();
      };
      return { what, work };
    }
  }
}

function pick<One>(all: readonly One[], target: number): One {
  const one = all[target % all.length];
  if (one === undefined) throw new Error('There is nothing to choose from.');
  return one;
}
