/** Thrown between two steps of a start that was called off. */
export class CalledOff extends Error {
  override readonly name = 'CalledOff';
}

export interface StopSwitch {
  /** Resolves when the system is asked to stop. */
  readonly asked: Promise<void>;
  /** Throws CalledOff when it was. */
  mayContinue(): void;
}

/** Below npm, one Ctrl-C arrives twice: from the terminal and from npm. */
const sameKeyMs = 1_000;

/** Listens for SIGINT and SIGTERM; a second one, not a moment later, calls `atOnce`. */
export function stopSwitch(atOnce: () => void): StopSwitch {
  const { promise, resolve } = Promise.withResolvers<void>();
  let askedAt: number | undefined;
  const onSignal = () => {
    if (askedAt !== undefined && performance.now() - askedAt > sameKeyMs) atOnce();
    askedAt ??= performance.now();
    resolve();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return {
    asked: promise,
    mayContinue() {
      if (askedAt !== undefined) throw new CalledOff('The start was called off.');
    },
  };
}
