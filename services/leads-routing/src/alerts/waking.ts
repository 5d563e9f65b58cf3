import type { Handlers } from '@crm/service';
import type { offerApi } from '../offers/offer.api.ts';

type Create = Handlers<typeof offerApi>['create'];

/** The same, and when the new offers are committed somebody is woken to look at them. */
export function waking(create: Create, wake: () => void): Create {
  if (typeof create === 'function' || !create.finish) return create;
  const { finish } = create;
  return {
    ...create,
    finish: (ctx, done, input) => {
      wake();
      return finish(ctx, done, input);
    },
  };
}
