import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const everyMs = 10_000;
/** The share of time that an idle process may spend working. */
const idleShare = 0.1;

/**
 * Collects garbage once, as soon as the process is idle after its start. A start leaves about 70 MB that V8 would keep until it
 * needs them. Collecting pauses the process for a few tenths of a second, so no request should have to wait for it.
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

/**
 * The function exists only in contexts that are created while the flag is set; V8 accepts cached code only with the same flags.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
