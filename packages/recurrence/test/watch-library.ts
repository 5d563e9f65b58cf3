import rrule from 'rrule';
import { vi } from 'vitest';

const { RRule } = rrule;

/**
 * Counts the calls of the library, each of which reads one year, and the largest number of periods that one call goes through.
 */
export function watchLibrary() {
  const work = { calls: 0, maxPeriods: 0 };
  const all = RRule.prototype.all;
  vi.spyOn(RRule.prototype, 'all').mockImplementation(function (this: InstanceType<typeof RRule>) {
    const { interval } = this.options;
    let reads = 0;
    // Read once at the start and twice at the end of each period.
    Object.defineProperty(this.options, 'interval', {
      get() {
        reads += 1;
        return interval;
      },
    });
    const dates = all.call(this);
    work.calls += 1;
    work.maxPeriods = Math.max(work.maxPeriods, (reads - 1) / 2);
    return dates;
  });
  return work;
}
