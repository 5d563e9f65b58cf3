import { type ELDHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { observed } from './metrics.ts';

/** How often the event loop is sampled. Each sample wakes the process. */
const resolutionMs = 50;

/**
 * Observes the event loop, the memory and the processor time of this process. The delay of the event loop is measured from the
 * first request for it.
 */
export function observeProcess(): void {
  let delay: ELDHistogram | undefined;
  observed('nodejs.eventloop.delay.p99', (observe) => {
    // Without the sampling interval, which is part of every measured delay.
    const p99 = delay === undefined ? 0 : delay.percentile(99) / 1e9 - resolutionMs / 1e3;
    observe(Math.max(p99, 0), {});
    delay ??= startDelayMonitor();
    delay.reset();
  });
  let before = performance.eventLoopUtilization();
  observed('nodejs.eventloop.utilization', (observe) => {
    const now = performance.eventLoopUtilization();
    observe(performance.eventLoopUtilization(now, before).utilization, {});
    before = now;
  });
  observed('process.memory.usage', (observe) => observe(process.memoryUsage.rss(), {}));
  observed('process.cpu.time', (observe) => {
    const { user, system } = process.cpuUsage();
    observe(user / 1e6, { 'cpu.mode': 'user' });
    observe(system / 1e6, { 'cpu.mode': 'system' });
  });
}

function startDelayMonitor(): ELDHistogram {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  return delay;
}
