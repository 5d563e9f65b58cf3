import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('print-occurrences.ts', import.meta.url));

/** The output of the program in a process with this time zone, and the midnight of that process. */
function printedIn(zone: string) {
  const lines = execFileSync(process.execPath, [program], { env: { TZ: zone }, encoding: 'utf8' })
    .trim()
    .split('\n');
  return { midnight: lines.pop(), lines };
}

describe('the time zone of the process', () => {
  it.each(['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Apia'])('%s changes nothing', (zone) => {
    const here = printedIn(zone);
    const inUtc = printedIn('UTC');
    expect(here.midnight).not.toBe(inUtc.midnight);
    expect(inUtc.lines.length).toBe(60);
    expect(here.lines).toEqual(inUtc.lines);
  });
});
