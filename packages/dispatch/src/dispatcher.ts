import { waker } from '@crm/messaging';
import type { Worker, WorkerContext } from '@crm/service';

/** A row that a worker has leased. The next lease has another number of attempts, so that an old one changes nothing. */
export interface Leased {
  readonly id: number;
  readonly attempts: number;
}

/** What an instance does with rows that are due. */
export interface Dispatch<Lane extends string, Row> {
  /** Leases rows that are due, within the limit of each lane. */
  take(free: Readonly<Partial<Record<Lane, number>>>): Promise<readonly Row[]>;
  /** Sends leased rows, each on its own, and calls `ended` for each. */
  finish(rows: readonly Row[], ended: (row: Row) => void): Promise<void>;
  close(): Promise<void>;
}

interface DispatcherOptions<Lane extends string, Row> {
  /** What is sent, for the log. */
  readonly what: string;
  /** How many rows of a lane one process may send at once. A slow provider delays only its own lane. */
  readonly slots: Readonly<Record<Lane, number>>;
  readonly laneOf: (row: Row) => Lane;
  readonly open: (workerContext: WorkerContext) => Dispatch<Lane, Row>;
}

const idleMs = 250;
const failingMs = 1_000;

/** Sends rows when they are due. Any number of instances may run. */
export function dispatcher<Lane extends string, Row>({
  what,
  slots,
  laneOf,
  open,
}: DispatcherOptions<Lane, Row>): { readonly worker: Worker; wake(): void } {
  const { wake, clear, wait } = waker();

  const worker: Worker = async (workerContext) => {
    const dispatch = open(workerContext);
    const lanes = Object.keys(slots) as Lane[];
    const underWay = new Map<Lane, number>(lanes.map((lane) => [lane, 0]));
    const batches = new Set<Promise<void>>();
    let stopped = false;

    const count = (lane: Lane, more: number) => underWay.set(lane, (underWay.get(lane) ?? 0) + more);
    const leftOf = (lane: Lane) => slots[lane] - (underWay.get(lane) ?? 0);

    /** Rows of a lane are leased when half of its slots are free: one at a time would cost a statement each. */
    const isWanted = (lane: Lane) => leftOf(lane) >= slots[lane] / 2;

    const free = () =>
      Object.fromEntries(lanes.filter(isWanted).map((lane) => [lane, leftOf(lane)])) as Partial<
        Record<Lane, number>
      >;

    const ended = (row: Row) => {
      const lane = laneOf(row);
      count(lane, -1);
      if (isWanted(lane)) wake();
    };

    async function turn(): Promise<number> {
      const rows = await dispatch.take(free());
      for (const row of rows) count(laneOf(row), 1);
      if (rows.length === 0) return 0;
      const batch = dispatch
        .finish(rows, ended)
        .catch((error: unknown) => workerContext.log.error({ err: error }, `${what} were left unfinished`))
        .finally(() => batches.delete(batch));
      batches.add(batch);
      return rows.length;
    }

    async function run() {
      while (!stopped) {
        clear();
        try {
          if ((await turn()) === 0) await wait(idleMs);
        } catch (error) {
          workerContext.log.error({ err: error }, `${what} cannot be leased`);
          await wait(failingMs);
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
