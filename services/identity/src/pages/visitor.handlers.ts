import { implement } from '@crm/service';
import { formToken, isFormToken } from '../sessions/browser-secret.ts';
import { isFromOwnPage } from '../sessions/own-page.ts';
import { signInFirst, visitOf } from './visit.ts';
import { visitorApi } from './visitor.api.ts';

export const visitorHandlers = (publicUrl: string) =>
  implement(visitorApi, {
    read: async (ctx, { request, path }) => {
      const visit = await visitOf(ctx, request);
      if (!visit) return { sign_in: signInFirst(request, { path, leadsTo: null }) };
      const token = visit.fields.get('form_token') ?? '';
      return {
        user_id: visit.user.id,
        timezone: visit.user.timezone,
        form_token: formToken(visit.secret, path),
        is_own_form: isFromOwnPage(request, publicUrl) && isFormToken(token, visit.secret, path),
      };
    },
  });
