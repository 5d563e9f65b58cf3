import { afterAll, describe, expect, it } from 'vitest';
import { claimsUnderLoad } from './load/claims-under-load.ts';
import { dispatchUnderLoad } from './load/dispatch-under-load.ts';
import { openGround } from './load/ground.ts';

describe('two instances that are killed in turn', async () => {
  const cleanup = new AsyncDisposableStack();
  const ground = await openGround(cleanup);
  afterAll(() => cleanup.disposeAsync());
  const people = await ground.people(10);

  it('send the alert of each of many offers that are due at the same time exactly once', async () => {
    const report = await dispatchUnderLoad(ground, people, { offers: 400, kill: true, hurry: true });
    expect(report).toMatchObject({ offers: 400, missing: 0, twice: 0, failed: 0 });
    expect(report.kills).toBeGreaterThan(0);
  });

  it('assign a lead to one of many claimants, and tell the others who it is', async () => {
    const report = await claimsUnderLoad(ground, people, { rounds: 3, claims: 60 });
    expect(report).toMatchObject({ rounds: 3, wrong: 0 });
    expect(report.kills).toBeGreaterThan(0);
  });
});
