import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const everyMs = 10_000;
/** How much of the time an idle process may work. */
const idleShare = 0.1;

/**
 * Collects garbage once, as soon as the process is idle after its start. A start leaves about 70 MB that V8 would keep until
 * it needs them. The process then stands still for some tenths of a second, which nobody should wait for.
 */
export function collectGarbageWhenIdle(): void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > idleShare) return;
    clearInterval(timer);
    collectGarbage();
  }, everyMs);
  timer.unref();
}

/** The function is there only for contexts that are made while the flag is set; V8 takes cached code only with the same flags. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
