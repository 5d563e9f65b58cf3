/** Lets work run together with other work, or alone. */
export interface Turns {
  together<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Waits for a moment without other work, and after ten seconds makes other work wait instead. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function turns(patienceMs = 10_000): Turns {
  let inProgress = 0;
  let isHeldUp = false;
  let lastAlone: Promise<unknown> = Promise.resolve();
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

  async function together<Result>(work: () => Promise<Result>): Promise<Result> {
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

  function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = lastAlone.then(() => whileOthersWait(work));
    lastAlone = turn.catch(() => undefined);
    return turn;
  }

  return { together, alone };
}
