interface Slots {
  /** The number of pieces of work that run at once. */
  readonly atOnce: number;
  /** The number of pieces that may wait, from one network and from all. */
  readonly waitingOfNetwork: number;
  readonly waitingOfAll: number;
}

/**
 * Runs a few pieces of work at once. Networks take turns: however much work one network has waiting, another waits for
 * only one piece of it. Work is refused when too much is waiting.
 */
export function fairSlots({ atOnce, waitingOfNetwork, waitingOfAll }: Slots) {
  /** The waiting work of each network, in the order of turns. */
  const queues = new Map<string, (() => void)[]>();
  let free = atOnce;
  let waiting = 0;

  const wait = (network: string): Promise<void> => {
    waiting += 1;
    return new Promise((resolve) => queues.set(network, [...(queues.get(network) ?? []), resolve]));
  };

  /** Passes the slot on without freeing it: otherwise a newcomer could take it. */
  function release() {
    for (const [network, [next, ...others]] of queues) {
      queues.delete(network);
      if (others.length > 0) queues.set(network, others);
      waiting -= 1;
      next?.();
      return;
    }
    free += 1;
  }

  return async <Result>(network: string, work: () => Promise<Result>): Promise<Result | 'too many'> => {
    if (free > 0) free -= 1;
    else if (waiting >= waitingOfAll || (queues.get(network)?.length ?? 0) >= waitingOfNetwork)
      return 'too many';
    else await wait(network);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
