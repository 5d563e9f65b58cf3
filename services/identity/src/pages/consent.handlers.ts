import type { WebRequest } from '@crm/contract';
import { implement } from '@crm/service';
import { approve, deny, needsConsent } from '../oauth/approve.ts';
import { type AuthorizationRequest, readAuthorizationRequest } from '../oauth/authorization-request.ts';
import { maxPathLength, writeTarget } from '../sessions/sign-in-target.ts';
import { consentApi } from './consent.api.ts';
import { authorizationError, consentPage } from './consent.page.ts';
import { goTo } from './page.ts';
import { acting, signInFirst, visitOf } from './visit.ts';

export const consentHandlers = (publicUrl: string) =>
  implement(consentApi, {
    show: async (ctx, request) => {
      const path = pathOf(request);
      if (path.length > maxPathLength) return authorizationError('The link is too long.');
      const reading = await readAuthorizationRequest(ctx, request.query, publicUrl);
      if (reading.kind === 'page') return authorizationError(reading.message);
      if (reading.kind === 'redirect') return goTo(reading.location);
      const target = { path, leadsTo: originOf(reading.request) };
      const visit = await visitOf(ctx, request);
      if (!visit) return signInFirst(request, target);
      if (!(await needsConsent(ctx, reading.request, visit.user.id)))
        return goTo(await approve(ctx, reading.request, visit.user.id, request));
      const onward = writeTarget(visit.secret, target);
      return consentPage(visit, { path, request: reading.request, onward });
    },

    decide: acting(publicUrl, pathOf, async ({ ctx, request, user, fields }) => {
      // Read again, because the application may have changed since the page was shown.
      const reading = await readAuthorizationRequest(ctx, request.query, publicUrl);
      if (reading.kind === 'page') return authorizationError(reading.message);
      if (reading.kind === 'redirect') return goTo(reading.location);
      if (fields.get('decision') !== 'allow') return goTo(deny(reading.request));
      return goTo(await approve(ctx, reading.request, user.id, request));
    }),
  });

const pathOf = ({ query }: WebRequest): string => `/oauth2/authorize?${query}`;

const originOf = ({ redirect_uri }: AuthorizationRequest): string => new URL(redirect_uri).origin;
