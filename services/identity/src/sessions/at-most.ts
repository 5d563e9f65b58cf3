/** Runs at most `limit` pieces of work at once; further work is refused, not queued. */
export function atMost(limit: number) {
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result | 'too many'> => {
    if (running >= limit) return 'too many';
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
    }
  };
}
