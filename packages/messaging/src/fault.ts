type Happens = () => void | Promise<void>;

/** Named moments of a work at which a test may let a crash happen. */
export function faultPoints<Point extends string>() {
  const faults = new Map<Point, Happens>();
  return {
    /** Does nothing unless a test has set a fault here; it costs one look into an empty map. */
    fault: (point: Point): void | Promise<void> => faults.get(point)?.(),

    /** For crash tests only: what happens at the point from now on, or nothing again. */
    setFault(point: Point, happens?: Happens): void {
      if (happens) faults.set(point, happens);
      else faults.delete(point);
    },
  };
}

/** The moments at which a crash would leave two systems disagreeing. */
export type FaultPoint = 'relay.sent' | 'consumer.committed';

export const { fault, setFault } = faultPoints<FaultPoint>();
