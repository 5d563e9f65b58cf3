/** Lets work through while less than so much of it is under way; more is turned away, not queued. */
export function atMost(most: number) {
  let underWay = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result | 'too many'> => {
    if (underWay >= most) return 'too many';
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
    }
  };
}
