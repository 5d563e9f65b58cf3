import { seed } from '@crm/testing';
import { describe, expect, it } from 'vitest';
import { chances, faultKinds, planOf } from './faults/faults.ts';
import { runUnderFaults } from './faults/run.ts';

describe('two instances of everything while processes, servers and links fail', () => {
  it(`lose nothing, do nothing twice and send nothing that was stopped (seed ${seed})`, async () => {
    await using cleanup = new AsyncDisposableStack();
    const run = {
      seed,
      seconds: 20,
      kinds: ['kill', 'pause', 'restart PostgreSQL', 'restart NATS', 'half-open'] as const,
      killShare: 0.5,
      agents: 3,
      longestMs: 5_000,
      honoursKeys: true,
      hurry: true,
    };
    const { findings, faults, ...figures } = await runUnderFaults(run, cleanup);
    expect(findings).toEqual([]);
    expect(Object.values(faults).filter((count) => count === 0)).toEqual([]);
    expect(figures.accepted).toBeGreaterThan(0);
    expect(figures.readsAfterWrites).toBeGreaterThan(0);
  });
});

describe('the faults of a run', () => {
  const run = { seconds: 60, kinds: faultKinds, killShare: 1, seed };

  it('follow from the seed, and each kind comes', () => {
    expect(planOf(run)).toEqual(planOf(run));
    expect(planOf({ ...run, seed: seed + 1 })).not.toEqual(planOf(run));
    expect(new Set(planOf(run).map(({ kind }) => kind))).toEqual(new Set(faultKinds));
  });

  it('are drawn by even chances', () => {
    const next = chances(seed);
    const drawn = Array.from({ length: 10_000 }, next);
    expect(drawn.every((chance) => chance >= 0 && chance < 1)).toBe(true);
    expect(Math.abs(drawn.reduce((sum, chance) => sum + chance) / 10_000 - 0.5)).toBeLessThan(0.02);
  });
});
