/**
 * Returns a function that has something done at a given time of the clock; what is done returns when to do it again. There is
 * one timer for all times, because most of what waits does not wait until its end.
 */
export function alarm(ring: () => number, clock: () => number) {
  let earliest = Infinity;
  let timer: NodeJS.Timeout | undefined;
  const setFor = (time: number) => {
    if (time >= earliest) return;
    clearTimeout(timer);
    earliest = time;
    timer = setTimeout(
      () => {
        earliest = Infinity;
        setFor(ring());
      },
      Math.max(0, Math.ceil(time - clock())),
    ).unref();
  };
  return setFor;
}
