import type { Holding } from '@crm/testing';
import { expect, it } from 'vitest';

interface Sending {
  /** Makes a row that is due. */
  due(): Promise<{
    now(): Promise<{ readonly state: unknown; readonly attempts: unknown }>;
    /** How often a provider was handed its key, and how often it took it. */
    received(): { readonly arrivals: number; readonly accepted: number };
  }>;
  /** One instance sends once what is due. */
  turn(): Promise<unknown>;
  /** The leases of all who hold a row are over. */
  later(): Promise<unknown>;
  hold(point: 'leased' | 'sent'): Holding;
  readonly sent: string;
}

/** What holds for whatever is sent when its time has come: a worker that lost a row does nothing with it any longer. */
export function itIsOnlyTheLastOnesWhoTookIt({ due, turn, later, hold, sent }: Sending): void {
  it('is not sent by one whose lease was over before, while somebody else prepares it', async () => {
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

  it('is not ended by one whose provider was too slow, while somebody else prepares it', async () => {
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
