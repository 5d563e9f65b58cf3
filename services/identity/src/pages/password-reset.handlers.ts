import { text, type WebAnswer, type WebRequest } from '@crm/contract';
import { type Context, implement, inSteps } from '@crm/service';
import { z } from 'zod';
import { changePassword } from '../accounts/change-account.ts';
import { type Resetting, userOfReset } from '../password-resets/password-reset.queries.ts';
import { requestReset } from '../password-resets/request-reset.ts';
import { knowDevice } from '../sessions/begin-session.ts';
import { cookieNames, droppingCookie } from '../sessions/cookies.ts';
import type { PasswordAttempts } from '../sessions/password-attempts.ts';
import { lockUser } from '../users/user-named.ts';
import { addressIn, type FormProblem, fieldsOf, readForm, tooBusy } from './form.ts';
import { readNewPassword } from './new-password.page.ts';
import { goTo } from './page.ts';
import { passwordResetApi } from './password-reset.api.ts';
import { askedPage, forgottenPage, resetPage, uselessLink } from './password-reset.page.ts';
import { paths } from './paths.ts';
import { isVisitorForm, visitorSecret } from './visitor-form.ts';

const expired: FormProblem = { status: 403, title: 'This form has expired. Please try again.' };

const Address = z.object({ email: text(255).min(1, { error: 'Enter your e-mail address.' }) });

/** The tokens of password links are derived from the key. */
export const passwordResetHandlers = (publicUrl: string, key: string, passwords: PasswordAttempts) =>
  implement(passwordResetApi, {
    ask: async (_ctx, request) => forgottenPage(visitorSecret(request)),

    send: async (ctx, request) => {
      const secret = visitorSecret(request);
      const email = addressIn(fieldsOf(request));
      if (!isVisitorForm(request, publicUrl, paths.forgottenPassword))
        return forgottenPage(secret, email, expired);
      const read = readForm(Address, { email });
      if ('errors' in read)
        return forgottenPage(secret, email, { status: 422, title: 'No link was sent.', errors: read.errors });
      const isSent = await requestReset(ctx.query, { email, request, secret: key });
      if (isSent) return askedPage();
      const title = 'Too many links were requested. Please try again in a few minutes.';
      return forgottenPage(secret, email, { status: 429, title, retryAfter: 360 });
    },

    show: async (ctx, request) => {
      const { token = '' } = request.params;
      const user = await userOfReset(ctx.query, token, key);
      return user ? resetPage(visitorSecret(request), { token, user }) : uselessLink();
    },

    reset: inSteps(passwordResetApi.reset, {
      // Hashing is slow on purpose, so it is done before the transaction.
      ask: async (ctx, request) => {
        const typed = newPasswordIn(request, publicUrl);
        const isTheirs = (await userOfReset(ctx.query, request.params.token ?? '', key)) !== undefined;
        return 'password' in typed && isTheirs ? passwords.hash(request, typed.password) : undefined;
      },
      act: async (ctx, request, password_hash) => {
        const { token = '' } = request.params;
        const user = await userOfReset(ctx.query, token, key);
        if (!user) return uselessLink();
        const typed = newPasswordIn(request, publicUrl);
        if ('problem' in typed) return resetPage(visitorSecret(request), { token, user }, typed.problem);
        if (password_hash === undefined) return uselessLink();
        if (password_hash === 'too many') return resetPage(visitorSecret(request), { token, user }, tooBusy);
        return reset(ctx, request, { user, password_hash, key });
      },
    }),
  });

type Typed = { readonly password: string } | { readonly problem: FormProblem };

function newPasswordIn(request: WebRequest, publicUrl: string): Typed {
  if (!isVisitorForm(request, publicUrl, paths.reset(request.params.token ?? '')))
    return { problem: expired };
  const typed = readNewPassword(fieldsOf(request));
  if ('password' in typed) return typed;
  return { problem: { status: 422, title: 'No password was chosen.', ...typed } };
}

interface Choice {
  readonly user: Resetting;
  readonly password_hash: string;
  readonly key: string;
}

/**
 * Sets the password. The browser is then a known one, so that the owner of the mailbox can sign in even while others guess.
 */
async function reset(
  ctx: Context,
  request: WebRequest,
  { user: { user_id, is_new }, password_hash, key }: Choice,
): Promise<WebAnswer> {
  const user = await lockUser(ctx, user_id);
  // Of several concurrent uses of the link, only the first finds it unused.
  if ((await userOfReset(ctx.query, request.params.token ?? '', key)) === undefined) return uselessLink();
  await changePassword(ctx, user, { password_hash, kind: 'password reset', origin: request });
  const { cookie } = await knowDevice(ctx.query, request, user_id);
  return goTo(`${paths.signIn}?${is_new ? 'account_ready' : 'password_changed'}`, [
    cookie,
    droppingCookie(cookieNames.session),
  ]);
}
