import type { Carriers } from '@crm/delivery/testing';

/** A message that a provider accepted. */
export interface Accepted {
  readonly channel: 'email' | 'text' | 'call';
  readonly key: string | undefined;
  readonly to: string;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
}

/** Everything that the providers accept, in their own order, each time that they accept it. */
export function openLedger({ mail, carrier }: Carriers) {
  const accepted: Accepted[] = [];
  let lost = 0;

  return {
    accepted: (): readonly Accepted[] => accepted,
    /** How many responses were lost. */
    lost: () => lost,
    /** Loses a share of the responses, half of them because it never ends the connection. `chance` returns less than 1. */
    lose(share: number, chance: () => number) {
      const hook: Parameters<typeof mail.behave>[0] = ({ channel, key, to }) => {
        accepted.push({ channel, key, to, at: performance.now() });
        const draw = chance() / share;
        if (draw >= 1) return 'accept';
        lost += 1;
        return draw < 0.5 ? 'break after accepting' : 'hang after accepting';
      };
      mail.behave(hook);
      carrier.behave(hook);
    },
  };
}
