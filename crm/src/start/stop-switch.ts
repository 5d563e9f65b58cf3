/** Thrown between two steps of an interrupted command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

interface StopSwitch {
  /** Resolves when the process is asked to stop. */
  readonly requested: Promise<void>;
  /** Throws Interrupted if a stop was requested. */
  throwIfStopped(): void;
}

/** Under npm, one Ctrl-C arrives twice: from the terminal and from npm. */
const sameKeyMs = 1_000;

/** Listens for SIGINT and SIGTERM; a second signal, at least a second later, calls `onSecond`. */
export function stopSwitch(onSecond: () => void): StopSwitch {
  const { promise, resolve } = Promise.withResolvers<void>();
  let requestedAt: number | undefined;
  const onSignal = () => {
    if (requestedAt !== undefined && performance.now() - requestedAt > sameKeyMs) onSecond();
    requestedAt ??= performance.now();
    resolve();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    requested: promise,
    throwIfStopped() {
      if (requestedAt !== undefined) throw new Interrupted('It was interrupted.');
    },
  };
}
