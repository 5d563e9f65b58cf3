import { waker } from '@crm/messaging';
import type { Worker, WorkerContext } from '@crm/service';

/** A row that a worker holds. Whoever takes it next has another number of attempts, and so undoes nothing of that one. */
export interface Leased {
  readonly id: number;
  readonly attempts: number;
}

/** What an instance does with rows whose time has come. */
export interface Dispatch<Lane extends string, Row> {
  /** Takes what is due, at most so many of each lane. */
  take(free: Readonly<Partial<Record<Lane, number>>>): Promise<readonly Row[]>;
  /** Brings rows that were taken to an end, each by itself; `ended` is told of each. */
  finish(rows: readonly Row[], ended: (row: Row) => void): Promise<void>;
  close(): Promise<void>;
}

export interface Dispatching<Lane extends string, Row> {
  /** What is sent, for the log. */
  readonly what: string;
  /** How many rows of a lane may be under way at once in one process. A slow provider holds up its own lane alone. */
  readonly slots: Readonly<Record<Lane, number>>;
  readonly laneOf: (row: Row) => Lane;
  readonly open: (workerContext: WorkerContext) => Dispatch<Lane, Row>;
}

const idleMs = 250;
const failingMs = 1_000;

/** Sends rows when their time has come. Any number of instances may run. */
export function dispatcher<Lane extends string, Row>({
  what,
  slots,
  laneOf,
  open,
}: Dispatching<Lane, Row>): { readonly worker: Worker; wake(): void } {
  const { wake, clear, wait } = waker();

  const worker: Worker = async (workerContext) => {
    const dispatch = open(workerContext);
    const lanes = Object.keys(slots) as Lane[];
    const underWay = new Map<Lane, number>(lanes.map((lane) => [lane, 0]));
    const batches = new Set<Promise<void>>();
    let stopped = false;

    const count = (lane: Lane, more: number) => underWay.set(lane, (underWay.get(lane) ?? 0) + more);
    const leftOf = (lane: Lane) => slots[lane] - (underWay.get(lane) ?? 0);

    /** A lane is asked for when half of its slots are free: one row at a time would cost a statement each. */
    const isAskedFor = (lane: Lane) => leftOf(lane) >= slots[lane] / 2;

    const free = () =>
      Object.fromEntries(lanes.filter(isAskedFor).map((lane) => [lane, leftOf(lane)])) as Partial<
        Record<Lane, number>
      >;

    const ended = (row: Row) => {
      const lane = laneOf(row);
      count(lane, -1);
      if (isAskedFor(lane)) wake();
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
          workerContext.log.error({ err: error }, `${what} cannot be taken`);
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
