type Fault = () => void | Promise<void>;

/** Named points in a process at which a test can cause a crash. */
export function faultPoints<Point extends string>() {
  const faults = new Map<Point, Fault>();
  return {
    /** Does nothing unless a test has set a fault for the point. */
    fault: (point: Point): void | Promise<void> => faults.get(point)?.(),

    /** For crash tests only: sets the fault of a point, or removes it. */
    setFault(point: Point, fault?: Fault): void {
      if (fault) faults.set(point, fault);
      else faults.delete(point);
    },
  };
}

/** The points at which a crash would leave two systems inconsistent. */
type FaultPoint = 'relay.sent' | 'consumer.committed';

export const { fault, setFault } = faultPoints<FaultPoint>();
