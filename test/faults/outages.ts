import { setTimeout as sleep } from 'node:timers/promises';
import type { Absence } from '../load/instances.ts';
import type { Clients } from './client.ts';
import type { Injected } from './inject.ts';

/** A request that each service answers itself. */
export const probes = {
  identity: '/me',
  contacts: '/hotnesses?$limit=1',
  scheduling: '/api/v1/task-categories?$limit=1',
  'campaigns-templates': '/campaigns?$limit=1',
  'leads-routing': '/lead-sources?$limit=1',
} as const;

const everyMs = 100;
/** A kill counts if everything else works from so long before it until so long after it. */
const calmMs = 3_000;

interface Success {
  readonly service: string;
  readonly at: number;
}

/** Asks each service again and again whether it serves, until the run is over. */
export async function watchServices(
  clients: Clients,
  token: string,
  successes: Success[],
  isOver: () => boolean,
): Promise<void> {
  await Promise.all(
    Object.entries(probes).map(async ([service, path]) => {
      while (!isOver()) {
        if (await clients.isServed(token, path)) successes.push({ service, at: performance.now() });
        await sleep(everyMs);
      }
    }),
  );
}

/**
 * The longest time that a service did not answer anybody after one kill, and how many kills count. Two of a pair that are killed
 * one after the other, or one that is killed and another that ends at a named point, are not one kill.
 */
export function longestOutage(
  successes: readonly Success[],
  injected: readonly Injected[],
  absences: readonly Absence[],
) {
  const others = injected.filter(({ kind }) => kind !== 'kill');
  const alone = injected.filter(({ kind, from }) => {
    const isNear = (other: Absence) => other.until > from - calmMs && other.from < from + calmMs;
    return kind === 'kill' && absences.filter(isNear).length === 1 && !others.some(isNear);
  });
  const outages = alone.flatMap(({ what: killed, from }) =>
    Object.keys(probes).map((service) => {
      const times = successes.filter((one) => one.service === service).map(({ at }) => at);
      const gaps = times.flatMap((at, index) => {
        const before = Math.max(from, times[index - 1] ?? 0);
        return at > from && before < from + calmMs ? [at - before] : [];
      });
      return { killed, service, ms: Math.round(Math.max(0, ...gaps)) };
    }),
  );
  const [longest] = outages.toSorted((a, b) => b.ms - a.ms);
  return { kills: alone.length, longest };
}
