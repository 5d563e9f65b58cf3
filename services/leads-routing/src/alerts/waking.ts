import type { Handlers } from '@crm/service';
import type { offerApi } from '../offers/offer.api.ts';

type Send = Handlers<typeof offerApi>['send'];

/** The handler, which now also wakes the dispatcher once the new offers are committed. */
export function waking(send: Send, wake: () => void): Send {
  if (typeof send === 'function' || !send.complete) return send;
  const { complete } = send;
  return {
    ...send,
    complete: (ctx, done) => {
      wake();
      return complete(ctx, done);
    },
  };
}
