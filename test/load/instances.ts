import { setTimeout as sleep } from 'node:timers/promises';
import type { Main } from '../system/child-process.ts';

interface Instance {
  main: Main;
  /** Undefined unless it is given new connections. */
  url: string | undefined;
  /** Whether it was asked to end. */
  isAsked: boolean;
  /** Whether nothing takes its place. */
  isLast?: true;
}

/**
 * Who learns first that an instance ends: the balancer, which no longer gives it new connections, or the instance, which the
 * balancer then finds to be no longer ready.
 */
export type Leaving = 'balancer first' | 'instance first';

/** From the end of a process until another one is ready in its place, in milliseconds of the monotonic clock. */
export interface Absence {
  readonly from: number;
  until: number;
}

export type Instances = Awaited<ReturnType<typeof someInstances>>;

/**
 * Some processes of one service, of which a ready one can be killed or paused. One that has ended is started again; `note` is
 * told how it ended unless it was killed.
 */
export async function someInstances(
  spawn: () => Main,
  cleanup: AsyncDisposableStack,
  count = 2,
  note: (end: string) => void = () => undefined,
) {
  const instances: Instance[] = [];
  const absences: Absence[] = [];
  let isStopping = false;
  let kills = 0;
  let turn = 0;

  cleanup.defer(async () => {
    isStopping = true;
    for (const { main } of instances) main.resume();
    await Promise.all(instances.map(({ main }) => main.stop()));
  });

  const start = (instance: Instance) => {
    const { main } = instance;
    main.url.then(
      (url) => {
        if (instance.main === main) instance.url = url;
      },
      () => undefined,
    );
    void main.ended.then(async (end) => {
      instance.url = undefined;
      if (isStopping) return;
      const isExpected = instance.isAsked ? end === '0 ' : end === 'SIGKILL';
      instance.isAsked = false;
      if (!isExpected) note(end);
      if (instance.isLast) return;
      const absence = { from: performance.now(), until: Number.POSITIVE_INFINITY };
      absences.push(absence);
      if (!isExpected) await sleep(500);
      instance.main = spawn();
      start(instance);
      await instance.main.url.catch(() => undefined);
      absence.until = performance.now();
    });
  };
  const add = async () => {
    const instance: Instance = { main: spawn(), url: undefined, isAsked: false };
    instances.push(instance);
    start(instance);
    await instance.main.url;
  };
  for (let index = 0; index < count; index++) await add();

  /** The next ready instance. */
  const next = () => {
    const found = [...instances.slice(turn % instances.length), ...instances].find(({ url }) => url);
    turn += 1;
    return found;
  };
  const killOne = async () => {
    const instance = next();
    if (!instance) return;
    instance.url = undefined;
    kills += 1;
    await instance.main.kill();
  };

  return {
    kills: () => kills,
    /** Of all that have ended, for whatever reason. */
    absences: (): readonly Absence[] => absences,
    /** The addresses of the ready instances. */
    urls: () => instances.map(({ url }) => url).filter((url) => url !== undefined),
    killOne,
    /** Replaces each instance, one after the other: it ends, and the new one becomes ready. */
    async replaceEach(leaving: Leaving = 'balancer first'): Promise<void> {
      for (const instance of instances) {
        await leave(instance, leaving);
        while (instance.url === undefined) await sleep(50);
      }
    },
    /** Returns when another instance is ready. */
    add,
    /** Ends the first instance for good. */
    async removeOne(leaving: Leaving): Promise<void> {
      const [instance] = instances;
      if (!instance) return;
      instance.isLast = true;
      await leave(instance, leaving);
      instances.splice(instances.indexOf(instance), 1);
    },
    /** Stops the next ready instance for a while, which keeps its connections and its address. */
    async pauseOne(ms: number): Promise<void> {
      const main = next()?.main;
      main?.pause();
      await sleep(ms);
      main?.resume();
    },
    /**
     * Returns when `isNeeded` returns false. All are ready before one is killed: on a slow machine each would otherwise
     * be killed before it has done anything.
     */
    async killOneEvery(ms: number, isNeeded: () => boolean | Promise<boolean>): Promise<void> {
      while (!isStopping && (await isNeeded())) {
        await sleep(ms);
        while (!isStopping && instances.some(({ url }) => url === undefined)) await sleep(50);
        await killOne();
      }
    },
    /** Returns when all are ready. */
    async ready(): Promise<void> {
      await Promise.all(instances.map(({ main }) => main.url));
    },
  };
}

async function leave(instance: Instance, leaving: Leaving): Promise<void> {
  const { main, url } = instance;
  instance.isAsked = true;
  if (leaving === 'balancer first') instance.url = undefined;
  const ended = main.stop();
  while (url !== undefined && instance.url === url && (await isReady(url))) await sleep(checkEveryMs);
  if (instance.url === url) instance.url = undefined;
  await ended;
}

/** As often as a balancer looks. */
const checkEveryMs = 100;

const isReady = (url: string) =>
  fetch(`${url}/readyz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
