/** Runs work at the same time as other shared work, or exclusively. */
export interface SharedOrExclusive {
  shared<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Waits for a moment without other work; after ten seconds, other work has to wait instead. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function sharedOrExclusive(patienceMs = 10_000): SharedOrExclusive {
  let inProgress = 0;
  let isHeldUp = false;
  let lastExclusive: Promise<unknown> = Promise.resolve();
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const add = (count: number) => {
    inProgress += count;
    change();
  };
  const holdUp = (isHeld: boolean) => {
    isHeldUp = isHeld;
    change();
  };

  async function shared<Result>(work: () => Promise<Result>): Promise<Result> {
    while (isHeldUp) await changed.promise;
    add(1);
    return work().finally(() => add(-1));
  }

  async function whileOthersWait<Result>(work: () => Promise<Result>): Promise<Result> {
    const impatience = setTimeout(holdUp, patienceMs, true);
    while (inProgress > 0) await changed.promise;
    clearTimeout(impatience);
    holdUp(true);
    return work().finally(() => holdUp(false));
  }

  function exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = lastExclusive.then(() => whileOthersWait(work));
    lastExclusive = result.catch(() => undefined);
    return result;
  }

  return { shared, exclusive };
}
