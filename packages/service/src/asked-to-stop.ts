type StopReason = 'signal' | 'supervisor ended';

/**
 * Resolves when the process is asked to stop: by SIGINT or SIGTERM or, if CRM_SUPERVISED is set, when the supervisor, which
 * holds the other end of our standard input, ends. A second signal ends the process at once.
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
    const ended = () => resolve('supervisor ended');
    process.stdin.on('end', ended).on('error', ended).resume();
  }
  return promise;
}
