import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as said from './index.ts';

const events = Object.values(said).filter((one) => typeof one === 'object' && 'noun' in one);

describe('the table of events in ARCHITECTURE.md', () => {
  it('names every event there is, and no other', () => {
    const document = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8');
    const rows = document.split('\n').filter((line) => /^\| `[a-z-]+\.[a-z-]+\.[a-z-]+`/.test(line));
    const named = rows.flatMap((row) =>
      [...row.matchAll(/`([a-z-]+\.[a-z-]+\.[a-z-]+)`/g)].map((match) => match[1]),
    );
    expect(named.sort()).toEqual(events.map(({ name }) => name).sort());
    expect(named.length).toBeGreaterThan(0);
  });
});
