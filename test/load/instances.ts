import { setTimeout as sleep } from 'node:timers/promises';
import type { Main } from '../system/child-process.ts';

interface Instance {
  main: Main;
  url: string | undefined;
}

/** Some processes of one service, of which one that is ready is killed now and then and started again. */
export async function someInstances(spawn: () => Main, cleanup: AsyncDisposableStack, count = 2) {
  const instances: Instance[] = [];
  let isEnding = false;
  let kills = 0;
  let turn = 0;

  const start = (instance: Instance) => {
    instance.main = spawn();
    const { main } = instance;
    main.url.then(
      (url) => {
        if (instance.main === main) instance.url = url;
      },
      () => undefined,
    );
    return main.url;
  };
  for (let place = 0; place < count; place++) {
    const instance: Instance = { main: spawn(), url: undefined };
    instances.push(instance);
    instance.url = await instance.main.url;
  }
  cleanup.defer(async () => {
    isEnding = true;
    await Promise.all(instances.map(({ main }) => main.stop()));
  });

  /** Kills one that is ready, now this and now that, and starts it again. */
  const killOne = async () => {
    const instance = [...instances.slice(turn % count), ...instances].find((one) => one.url);
    turn += 1;
    if (!instance) return;
    instance.url = undefined;
    await instance.main.kill();
    kills += 1;
    start(instance).catch(() => undefined);
  };

  return {
    kills: () => kills,
    /** Where those listen that are ready at this moment. */
    urls: () => instances.map(({ url }) => url).filter((url) => url !== undefined),
    killOne,
    /** Returns when `goesOn` says no. */
    async killOneEvery(ms: number, goesOn: () => boolean | Promise<boolean>): Promise<void> {
      while (!isEnding && (await goesOn())) {
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
