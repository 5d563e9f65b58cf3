type Action = () => void | Promise<void>;

/** Named points in a process at which a test can cause a crash. */
export function crashPoints<Point extends string>() {
  const actions = new Map<Point, Action>();
  return {
    /** Does nothing unless a test has set what happens at the point. */
    crashPoint: (point: Point): void | Promise<void> => actions.get(point)?.(),

    /** For crash tests only: sets what happens at a point, or removes it. */
    setCrashPoint(point: Point, action?: Action): void {
      if (action) actions.set(point, action);
      else actions.delete(point);
    },
  };
}

/** The points at which a crash would leave two systems inconsistent. */
type CrashPoint = 'relay.sent' | 'consumer.committed';

export const { crashPoint, setCrashPoint } = crashPoints<CrashPoint>();
