import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { observed } from './metrics.ts';

/** Observes the event loop, the memory and the processor time of this process. */
export function observeProcess(): void {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  observed('nodejs.eventloop.delay.p99', (observe) => {
    observe(delay.percentile(99) / 1e9, {});
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
