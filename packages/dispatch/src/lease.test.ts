import { maxStopMs } from '@crm/service/process';
import { expect, it } from 'vitest';
import { checkedMs, emailMs, providerMs, settleMs } from './lease.ts';

it('a lease, and the shutdown of a process, last longer than a provider takes to respond', () => {
  expect(maxStopMs).toBeGreaterThan(providerMs + checkedMs);
  expect(settleMs).toBeGreaterThan(maxStopMs);
  expect(settleMs).toBeGreaterThan(emailMs + checkedMs);
});
