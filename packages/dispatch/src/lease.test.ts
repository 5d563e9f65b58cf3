import { maxStopMs } from '@crm/service/process';
import { expect, it } from 'vitest';
import { checkedMs, emailMs, providerMs, settleMs } from './lease.ts';

it('a process that stops, and a lease, last longer than a provider takes to answer', () => {
  expect(maxStopMs).toBeGreaterThan(providerMs + checkedMs);
  expect(settleMs).toBeGreaterThan(maxStopMs);
  expect(settleMs).toBeGreaterThan(emailMs + checkedMs);
});
