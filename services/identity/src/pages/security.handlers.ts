import { noRecord, type WebAnswer } from '@crm/contract';
import { implement, inSteps } from '@crm/service';
import { changePassword } from '../accounts/change-account.ts';
import { revokeOwnToken } from '../applications/own-tokens.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { cookieNames, droppingCookie } from '../sessions/cookies.ts';
import { forgetDevice, forgetDevicesOf } from '../sessions/known-device.queries.ts';
import type { PasswordAttempts } from '../sessions/password-attempts.ts';
import { lockUser } from '../users/user-named.ts';
import { tooBusy } from './form.ts';
import { readNewPassword } from './new-password.page.ts';
import { goTo } from './page.ts';
import { type Problem, passwordAgain } from './password-again.ts';
import { idIn, paths } from './paths.ts';
import { securityPageApi } from './security.api.ts';
import { securityPage } from './security.page.ts';
import { acting, noted, orMissing, showing, type Visit } from './visit.ts';

const notChanged = 'Your password was not changed.';

export const securityPageHandlers = (publicUrl: string, passwords: PasswordAttempts) =>
  implement(securityPageApi, {
    show: showing(paths.security, securityPage),

    changePassword: inSteps(
      securityPageApi.changePassword,
      passwordAgain(
        publicUrl,
        passwords,
      )({
        title: notChanged,
        path: paths.password,
        nameOf: () => 'current_password',
        prepare: async ({ fields, request }) => {
          const typed = readNewPassword(fields);
          return 'password' in typed ? passwords.hash(request, typed.password) : undefined;
        },
        act: change,
      }),
    ),

    endDevice: acting(
      publicUrl,
      ({ params }) => paths.deviceEnd(params.device_id ?? ''),
      orMissing(async (visit) => {
        const id = idIn(visit.request, 'device_id');
        if (!(await forgetDevice(visit.ctx.query, visit.user.id, id))) throw noRecord(id);
        await noted(visit, { kind: 'signed out a device' });
        return goTo(paths.security);
      }),
    ),

    revokeToken: acting(
      publicUrl,
      ({ params }) => paths.ownTokenRevocation(params.token_id ?? ''),
      orMissing(async (visit) => {
        const accessTokenId = idIn(visit.request, 'token_id');
        await revokeOwnToken(visit.ctx, visit.user.id, accessTokenId);
        await noted(visit, { kind: 'token revoked', accessTokenId });
        return goTo(paths.security);
      }),
    ),

    signOutEverywhere: acting(publicUrl, paths.signOutEverywhere, async (visit) => {
      await forgetDevicesOf(visit.ctx.query, visit.user.id);
      await noted(visit, { kind: 'signed out everywhere' });
      return goTo(`${paths.signIn}?signed_out`, [droppingCookie(cookieNames.session)]);
    }),
  });

async function change(visit: Visit, problem: Problem, password_hash: string | undefined): Promise<WebAnswer> {
  const typed = readNewPassword(visit.fields);
  if ('errors' in typed) return securityPage(visit, { status: 422, title: notChanged, errors: typed.errors });
  const wrong = await problem();
  if (wrong) return securityPage(visit, wrong);
  if (password_hash === undefined) throw new Error('The new password was not hashed.');
  if (password_hash === 'too many') return securityPage(visit, tooBusy);
  const { ctx, request, user } = visit;
  const account = await lockUser(ctx, user.id);
  await changePassword(ctx, account, { password_hash, kind: 'password changed', origin: request });
  const { cookies } = await beginSession(ctx.query, request, user.id);
  return goTo(`${paths.security}?password_changed`, cookies);
}
