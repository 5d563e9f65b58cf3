type Action = () => void | Promise<void>;

/** Named points in a process at which a test can cause a crash. */
export function crashPoints<Point extends string>() {
  const actions = new Map<Point, Action>();
  return {
    /** Does nothing unless a test has set what happens at the point. */
    crashPoint: (point: Point): void | Promise<void> => actions.get(point)?.(),

    /** For tests only: sets what happens whenever the point is reached. */
    setCrashPoint(point: Point, action: Action): void {
      actions.set(point, action);
    },

    /** For tests only: sets what happens when the point is reached for the first time. */
    setCrashPointOnce(point: Point, action: Action): void {
      actions.set(point, () => {
        actions.delete(point);
        return action();
      });
    },

    /** After each test: nothing happens at any point any longer. */
    clearCrashPoints: (): void => actions.clear(),
  };
}

/** The points at which a crash would leave two systems inconsistent. */
type CrashPoint = 'relay.sent' | 'consumer.committed' | 'durable.changed';

export const { clearCrashPoints, crashPoint, setCrashPoint, setCrashPointOnce } = crashPoints<CrashPoint>();
