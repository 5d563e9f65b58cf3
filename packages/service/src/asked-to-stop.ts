export type StopReason = 'signal' | 'supervisor gone';

/**
 * Resolves when the process is asked to end: by SIGINT or SIGTERM or, where CRM_SUPERVISED is set, by the end
 * of the supervisor, which holds the other end of our standard input. A second signal ends it at once.
 */
export function askedToStop(env: NodeJS.ProcessEnv): Promise<StopReason> {
  const { promise, resolve } = Promise.withResolvers<StopReason>();
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(1);
    asked = true;
    resolve('signal');
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  if (env.CRM_SUPERVISED) {
    const gone = () => resolve('supervisor gone');
    process.stdin.on('end', gone).on('error', gone).resume();
  }
  return promise;
}
