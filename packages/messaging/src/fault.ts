/** The moments at which a crash would leave two systems disagreeing. */
export type FaultPoint = 'relay.sent' | 'consumer.committed';

const faults = new Map<FaultPoint, () => void | Promise<void>>();

/** Does nothing unless a test has set a fault here; it costs one look into an empty map. */
export const fault = (point: FaultPoint): void | Promise<void> => faults.get(point)?.();

/** For crash tests only: what happens at the point from now on, or nothing again. */
export function setFault(point: FaultPoint, happens?: () => void | Promise<void>): void {
  if (happens) faults.set(point, happens);
  else faults.delete(point);
}
