import { describe, expect, it } from 'vitest';
import { progressBarOn } from './progress-bar.ts';

function barOn(isTTY: boolean, quiet = false) {
  let text = '';
  let ms = 0;
  const screen = {
    isTTY,
    write: (part: string) => {
      text += part;
    },
  };
  const bar = progressBarOn(screen, quiet, () => ms);
  return {
    bar,
    after: (elapsed: number) => {
      ms = elapsed;
    },
    written: () => text,
  };
}

describe('the progress of a long command', () => {
  it('is a bar with the rate and the remaining time on a terminal', () => {
    const { bar, after, written } = barOn(true);
    bar.at(0.01, 250);
    expect(written()).toContain(' 1 %  250 rows');
    expect(written()).not.toContain('rows/s');
    after(10_000);
    bar.at(0.25, 10_000);
    expect(written()).toMatch(/ 25 % {2}10,000 rows, 1,000 rows\/s, 0:30 left$/);
    after(3_600_000);
    bar.at(0.4, 20_000);
    expect(written()).toMatch(/6 rows\/s, 1:30:00 left$/);
    bar.end();
    expect(written().endsWith('\r\x1b[2K')).toBe(true);
  });

  it('is a line for every 10,000 rows elsewhere, and nothing in quiet mode', () => {
    const { bar, after, written } = barOn(false);
    after(20_000);
    bar.at(0.1, 9_999);
    bar.at(0.2, 20_100);
    expect(written()).toBe('20,000 rows, 1,005 rows/s, 1:20 left\n');
    const quiet = barOn(true, true);
    quiet.bar.at(0.5, 50_000);
    expect(quiet.written()).toBe('');
  });
});
