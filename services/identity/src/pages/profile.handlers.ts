import { Refused, type WebAnswer, type WebRequest } from '@crm/contract';
import { type Context, implement, inSteps } from '@crm/service';
import { changeProfile } from '../me/change-profile.ts';
import { codeErrors, confirmPhone } from '../phones/confirm-phone.ts';
import { requestCode } from '../phones/request-phone.ts';
import { type PhoneCodes, sendCode } from '../phones/send-code.ts';
import { forgetUnreachable } from '../unreachable-addresses/unreachable-address.queries.ts';
import { accountPage } from './account.page.ts';
import { addressIn, type FieldErrors } from './form.ts';
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
      act: acting(publicUrl, paths.profile, (visit) => change(visit, codes.carrier !== undefined)),
      finish: sendingCode,
    }),

    confirmPhone: acting(publicUrl, paths.phoneConfirmation, (visit) => confirm(visit, codes.secret)),

    sendCode: inSteps(profilePageApi.sendCode, {
      act: acting(publicUrl, paths.phoneCode, sendAnother),
      finish: sendingCode,
    }),

    tryAgain: acting(publicUrl, paths.reachable, async ({ ctx, user, fields }) => {
      await forgetUnreachable(ctx.query, user.id, addressIn(fields, 'address'));
      return goTo(paths.account);
    }),
  });
}

async function change(visit: Visit, mustConfirmPhone: boolean): Promise<WebAnswer> {
  const typed = typedProfile(visit.fields);
  const notSaved = (status: number, errors: FieldErrors) =>
    accountPage(visit, { typed, problem: { status, title: 'Your profile was not saved.', errors } });
  const read = readProfile(typed);
  if ('errors' in read) return notSaved(422, read.errors);
  try {
    await changeProfile(visit.ctx, visit.user.id, read.values, mustConfirmPhone);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.name === 'TooManyRequests'
      ? notSaved(429, { phone: error.message })
      : notSaved(422, profileErrors(error.errors));
  }
  return goTo(paths.account);
}

async function confirm(visit: Visit, secret: string): Promise<WebAnswer> {
  const code = visit.fields.get('code') ?? '';
  const verdict = await confirmPhone(visit.ctx, visit.user.id, code, secret);
  if (verdict === 'confirmed' || verdict === 'nothing to confirm') return goTo(paths.account);
  return notConfirmed(visit, 422, `The code ${codeErrors[verdict]}.`);
}

async function sendAnother(visit: Visit): Promise<WebAnswer> {
  try {
    await requestCode(visit.ctx, visit.user.id);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.name === 'TooManyRequests') return notConfirmed(visit, 429, error.message);
    // The number was confirmed or replaced meanwhile.
    if (error.name !== 'Conflict') throw error;
  }
  return goTo(paths.account);
}

const notConfirmed = (visit: Visit, status: number, code: string) =>
  accountPage(visit, { problem: { status, title: 'The phone number is not confirmed.', errors: { code } } });
