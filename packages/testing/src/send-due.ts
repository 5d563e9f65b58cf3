import { withStoppedClock } from './stopped-clock.ts';

interface Dispatch<Due, Free> {
  lease(free: Free): Promise<readonly Due[]>;
  send(rows: readonly Due[], ended: (row: Due) => void): Promise<void>;
}

/** Sends once what is due, and returns it. The clock stands, so that nothing waits because its checks have grown old. */
export const sendDue = <Due, Free>(dispatch: Dispatch<Due, Free>, free: Free): Promise<readonly Due[]> =>
  withStoppedClock(async () => {
    const due = await dispatch.lease(free);
    await dispatch.send(due, () => undefined);
    return due;
  });
