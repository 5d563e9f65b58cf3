/** A function that calls another one at most every `ms`: at once, or when that time has passed. */
export function atMostEvery(ms: number, call: () => void): () => void {
  let calledAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const callNow = () => {
    timer = undefined;
    calledAt = performance.now();
    call();
  };
  return () => {
    if (timer) return;
    const left = calledAt + ms - performance.now();
    if (left <= 0) callNow();
    else timer = setTimeout(callNow, left).unref();
  };
}
