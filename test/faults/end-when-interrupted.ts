import { constants } from 'node:os';

/**
 * Ends what a run has started when somebody interrupts it. Servers and disks would outlive this process: they are meant to
 * survive its faults.
 */
export function endWhenInterrupted(cleanup: AsyncDisposableStack): void {
  const end = async (signal: 'SIGINT' | 'SIGTERM') => {
    // What still runs fails without its servers, and must not end this process before they are stopped.
    process.on('uncaughtException', () => undefined).on('unhandledRejection', () => undefined);
    await cleanup.disposeAsync().catch((error) => process.stderr.write(`${error.stack}\n`));
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(signal));
}
