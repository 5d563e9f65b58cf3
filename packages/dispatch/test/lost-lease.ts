import type { Holding } from '@crm/testing';
import { expect, it } from 'vitest';

interface Sending {
  /** Creates a due row. */
  due(): Promise<{
    now(): Promise<{ readonly state: unknown; readonly attempts: unknown }>;
    /** How often a provider received its key, and how often it accepted it. */
    received(): { readonly arrivals: number; readonly accepted: number };
  }>;
  /** One instance sends what is due, once. */
  turn(): Promise<unknown>;
  /** All leases expire. */
  later(): Promise<unknown>;
  hold(point: 'leased' | 'sent'): Holding;
  readonly sent: string;
}

/** What every queue guarantees: a worker that lost a row no longer does anything with it. */
export function itIsOnlyTheLastOnesWhoTookIt({ due, turn, later, hold, sent }: Sending): void {
  it('is not sent by a worker whose lease has expired while another prepares it', async () => {
    const { now, received } = await due();
    const leased = hold('leased');
    const slow = turn();
    await leased.reached(0);
    await later();
    const next = turn();
    await leased.reached(1);

    leased.release(0);
    await slow;
    expect(received().arrivals).toBe(0);
    expect(await now()).toEqual({ state: 'Sending', attempts: 2 });
    leased.release(1);
    await next;
    expect(await now()).toEqual({ state: sent, attempts: 2 });
    expect(received()).toEqual({ arrivals: 1, accepted: 1 });
  });

  it('is not settled by a worker whose provider was too slow while another prepares it', async () => {
    const { now, received } = await due();
    const [leased, sending] = [hold('leased'), hold('sent')];
    leased.release(0);
    const slow = turn();
    await sending.reached(0);
    await later();
    const next = turn();
    await leased.reached(1);

    sending.release(0);
    await slow;
    expect(await now()).toEqual({ state: 'Sending', attempts: 2 });
    leased.release(1);
    sending.release(1);
    await next;
    expect(await now()).toEqual({ state: sent, attempts: 2 });
    expect(received()).toEqual({ arrivals: 2, accepted: 1 });
  });
}
