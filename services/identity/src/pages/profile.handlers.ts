import { Refused, type WebAnswer, type WebRequest } from '@crm/contract';
import { type Context, implement, inSteps } from '@crm/service';
import { changeProfile } from '../me/change-profile.ts';
import { codeErrors, confirmPhone } from '../phones/confirm-phone.ts';
import { requestCode } from '../phones/request-phone.ts';
import { type PhoneCodes, sendCode } from '../phones/send-code.ts';
import { forgetUnreachable } from '../unreachable-addresses/unreachable-address.queries.ts';
import { accountPage } from './account.page.ts';
import { goTo } from './page.ts';
import { paths } from './paths.ts';
import { profilePageApi } from './profile.api.ts';
import { profileErrors, readProfile, typedProfile } from './profile-form.ts';
import { acting, type Visit, visitOf } from './visit.ts';

export function profilePageHandlers(publicUrl: string, codes: PhoneCodes) {
  const sendingCode = async (ctx: Context, done: WebAnswer, request: WebRequest) => {
    const visit = done.status === 303 ? await visitOf(ctx, request) : undefined;
    if (visit) await sendCode(ctx, visit.user.id, codes);
    return done;
  };
  return implement(profilePageApi, {
    change: inSteps(profilePageApi.change, {
      act: acting(
        publicUrl,
        () => paths.profile,
        (visit) => change(visit, codes.carrier !== undefined),
      ),
      finish: sendingCode,
    }),

    confirmPhone: acting(
      publicUrl,
      () => paths.phoneConfirmation,
      (visit) => confirm(visit, codes.secret),
    ),

    sendCode: inSteps(profilePageApi.sendCode, {
      act: acting(publicUrl, () => paths.phoneCode, sendAnother),
      finish: sendingCode,
    }),

    tryAgain: acting(
      publicUrl,
      () => paths.reachable,
      async ({ ctx, user, fields }) => {
        await forgetUnreachable(ctx.query, user.id, fields.get('address') ?? '');
        return goTo(paths.account);
      },
    ),
  });
}

async function change(visit: Visit, mustConfirmPhone: boolean): Promise<WebAnswer> {
  const fields = typedProfile(visit.fields);
  const read = readProfile(fields);
  if ('errors' in read) return accountPage(visit, { status: 422, typed: { fields, errors: read.errors } });
  try {
    await changeProfile(visit.ctx, visit.user.id, read.values, mustConfirmPhone);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const isTooEarly = error.name === 'TooManyRequests';
    const errors = isTooEarly ? { phone: error.message } : profileErrors(error.errors);
    return accountPage(visit, { status: isTooEarly ? 429 : 422, typed: { fields, errors } });
  }
  return goTo(paths.account);
}

async function confirm(visit: Visit, secret: string): Promise<WebAnswer> {
  const code = visit.fields.get('code') ?? '';
  const verdict = await confirmPhone(visit.ctx, visit.user.id, code, secret);
  if (verdict === 'confirmed' || verdict === 'nothing to confirm') return goTo(paths.account);
  return accountPage(visit, { status: 422, codeError: `The code ${codeErrors[verdict]}.` });
}

async function sendAnother(visit: Visit): Promise<WebAnswer> {
  try {
    await requestCode(visit.ctx, visit.user.id);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.name === 'TooManyRequests')
      return accountPage(visit, { status: 429, codeError: error.message });
    // It was confirmed or replaced meanwhile.
    if (error.name !== 'Conflict') throw error;
  }
  return goTo(paths.account);
}
