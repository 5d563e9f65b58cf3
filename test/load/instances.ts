import { setTimeout as sleep } from 'node:timers/promises';
import type { Main } from '../system/child-process.ts';

interface Instance {
  main: Main;
  url: string | undefined;
}

/** Some processes of one service, of which a ready one can be killed and restarted. */
export async function someInstances(spawn: () => Main, cleanup: AsyncDisposableStack, count = 2) {
  const instances = await startAll(spawn, count);
  let isStopping = false;
  let kills = 0;
  let turn = 0;

  cleanup.defer(async () => {
    isStopping = true;
    await Promise.all(instances.map(({ main }) => main.stop()));
  });

  /** Kills the next ready instance and restarts it. */
  const killOne = async () => {
    const instance = [...instances.slice(turn % count), ...instances].find((one) => one.url);
    turn += 1;
    if (!instance) return;
    instance.url = undefined;
    await instance.main.kill();
    kills += 1;
    restart(instance, spawn);
  };

  return {
    kills: () => kills,
    /** The addresses of the ready instances. */
    urls: () => instances.map(({ url }) => url).filter((url) => url !== undefined),
    killOne,
    /** Returns when `isNeeded` returns false. */
    async killOneEvery(ms: number, isNeeded: () => boolean | Promise<boolean>): Promise<void> {
      while (!isStopping && (await isNeeded())) {
        await sleep(ms);
        await killOne();
      }
    },
    /** Returns when all are ready. */
    async ready(): Promise<void> {
      await Promise.all(instances.map(({ main }) => main.url));
    },
  };
}

async function startAll(spawn: () => Main, count: number): Promise<Instance[]> {
  const instances: Instance[] = [];
  for (let index = 0; index < count; index++) {
    const main = spawn();
    instances.push({ main, url: await main.url });
  }
  return instances;
}

function restart(instance: Instance, spawn: () => Main): void {
  const main = spawn();
  instance.main = main;
  main.url.then(
    (url) => {
      if (instance.main === main) instance.url = url;
    },
    () => undefined,
  );
}
