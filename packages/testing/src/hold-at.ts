import { onTestFinished } from 'vitest';

interface Place {
  readonly reached: PromiseWithResolvers<void>;
  readonly released: PromiseWithResolvers<void>;
}

/** Workers that reached a point, numbered from 0 in their order of arrival. */
export interface Holding {
  /** Resolves when that worker is there. */
  reached(turn: number): Promise<void>;
  /** Releases that worker, now or when it arrives. */
  release(turn: number): void;
}

/** Blocks every worker at a named point until the test releases it or ends. */
export function holdAt<Point>(
  setCrashPoint: (point: Point, happens: () => Promise<void> | void) => void,
  point: Point,
): Holding {
  const places: Place[] = [];
  const place = (turn: number): Place => {
    while (places.length <= turn)
      places.push({ reached: Promise.withResolvers(), released: Promise.withResolvers() });
    return places[turn] as Place;
  };
  let count = 0;
  setCrashPoint(point, () => {
    const { reached, released } = place(count++);
    reached.resolve();
    return released.promise;
  });
  onTestFinished(() => {
    setCrashPoint(point, () => undefined);
    for (const { released } of places) released.resolve();
  });
  return {
    reached: (turn) => place(turn).reached.promise,
    release: (turn) => place(turn).released.resolve(),
  };
}
