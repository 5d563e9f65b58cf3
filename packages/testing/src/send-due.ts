import { withStoppedClock } from './stopped-clock.ts';

interface Dispatch<Due, Free> {
  lease(free: Free): Promise<readonly Due[]>;
  send(rows: readonly Due[], ended: (row: Due) => void): Promise<void>;
}

/** Sends what is due once, and returns it. The clock is stopped, so that no row waits because its check has grown old. */
export const sendDue = <Due, Free>(dispatch: Dispatch<Due, Free>, free: Free): Promise<readonly Due[]> =>
  withStoppedClock(async () => {
    const due = await dispatch.lease(free);
    await dispatch.send(due, () => undefined);
    return due;
  });
