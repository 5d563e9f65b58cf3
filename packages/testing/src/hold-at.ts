import { onTestFinished } from 'vitest';

interface Place {
  readonly reached: PromiseWithResolvers<void>;
  readonly released: PromiseWithResolvers<void>;
}

/** Workers that came to a point, numbered from 0 in the order in which they came. */
export interface Holding {
  /** Returns when that worker is there. */
  reached(turn: number): Promise<void>;
  /** Lets that worker go on, now or when it comes. */
  release(turn: number): void;
}

/** Holds whoever comes to a named moment of a work until the test lets them go on, or ends. */
export function holdAt<Point>(
  setFault: (point: Point, happens?: () => Promise<void>) => void,
  point: Point,
): Holding {
  const places: Place[] = [];
  const place = (turn: number): Place => {
    while (places.length <= turn)
      places.push({ reached: Promise.withResolvers(), released: Promise.withResolvers() });
    return places[turn] as Place;
  };
  let count = 0;
  setFault(point, () => {
    const { reached, released } = place(count++);
    reached.resolve();
    return released.promise;
  });
  onTestFinished(() => {
    setFault(point);
    for (const { released } of places) released.resolve();
  });
  return {
    reached: (turn) => place(turn).reached.promise,
    release: (turn) => place(turn).released.resolve(),
  };
}
