import { waker } from '@crm/messaging';
import type { Worker } from '@crm/service';
import type { Settings } from '../settings.ts';
import { type AlertKind, alertKinds, type DueAlert } from './alert.queries.ts';
import { openDispatch } from './dispatch.ts';

/** How many alerts of a kind may be under way at once in one process. A slow provider holds up its own kind alone. */
const slots: Readonly<Record<AlertKind, number>> = { Assign: 8, Email: 48, Text: 48, Phone: 24 };

const idleMs = 250;
const troubledMs = 1_000;

/** Sends alerts when their time has come. Any number of instances may run. */
export function dispatcher(settings: Settings): { readonly worker: Worker; wake(): void } {
  const { wake, clear, wait } = waker();

  const worker: Worker = async (equipment) => {
    const dispatch = openDispatch(settings, equipment);
    const underWay = new Map<AlertKind, number>(alertKinds.map((kind) => [kind, 0]));
    const batches = new Set<Promise<void>>();
    let stopped = false;

    const count = (kind: AlertKind, more: number) => underWay.set(kind, (underWay.get(kind) ?? 0) + more);

    /** A kind is asked for when half of its slots are free: one alert at a time would cost a statement each. */
    const free = () => {
      const kinds = alertKinds.map((kind) => [kind, slots[kind] - (underWay.get(kind) ?? 0)] as const);
      return Object.fromEntries(kinds.filter(([kind, left]) => left >= slots[kind] / 2));
    };

    const ended = ({ kind }: DueAlert) => {
      count(kind, -1);
      if (slots[kind] - (underWay.get(kind) ?? 0) >= slots[kind] / 2) wake();
    };

    async function turn(): Promise<number> {
      const alerts = await dispatch.take(free());
      for (const { kind } of alerts) count(kind, 1);
      if (alerts.length === 0) return 0;
      const batch = dispatch
        .finish(alerts, ended)
        .catch((error: unknown) => equipment.log.error({ err: error }, 'alerts were left unfinished'))
        .finally(() => batches.delete(batch));
      batches.add(batch);
      return alerts.length;
    }

    async function run() {
      while (!stopped) {
        clear();
        try {
          if ((await turn()) === 0) await wait(idleMs);
        } catch (error) {
          equipment.log.error({ err: error }, 'alerts cannot be taken');
          await wait(troubledMs);
        }
      }
    }

    const running = run();
    return {
      async stop() {
        stopped = true;
        wake();
        await running;
        await Promise.all(batches);
        await dispatch.close();
      },
    };
  };
  return { wake, worker };
}
