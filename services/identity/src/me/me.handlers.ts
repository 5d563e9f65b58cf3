import { invalidField } from '@crm/contract';
import { type Context, implement, inSteps } from '@crm/service';
import type { z } from 'zod';
import { codeErrors, confirmPhone, type Verdict } from '../phones/confirm-phone.ts';
import { nothingToConfirm } from '../phones/phone.api.ts';
import { requestCode } from '../phones/request-phone.ts';
import { type PhoneCodes, sendCode } from '../phones/send-code.ts';
import { timezoneOffset } from '../users/timezone-offset.ts';
import { changeProfile } from './change-profile.ts';
import { type CurrentUserView, meApi } from './me.api.ts';
import { currentUser } from './me.queries.ts';

export function meHandlers(codes: PhoneCodes) {
  const afterSendingCode = async (ctx: Context) => {
    await sendCode(ctx, ctx.user.id, codes);
    return shown(ctx);
  };

  return implement(meApi, {
    get: shown,

    patch: inSteps(meApi.patch, {
      act: async (ctx, changes) => {
        await changeProfile(ctx, ctx.user.id, changes, codes.carrier !== undefined);
        return shown(ctx);
      },
      finish: afterSendingCode,
      rehearse: async (_ctx, changed) => changed,
    }),

    sendPhoneCode: inSteps(meApi.sendPhoneCode, {
      act: async (ctx) => {
        await requestCode(ctx, ctx.user.id);
        return {};
      },
      finish: afterSendingCode,
    }),

    confirmPhone: inSteps(meApi.confirmPhone, {
      act: async (ctx, { code }) => ({ verdict: await confirmPhone(ctx, ctx.user.id, code, codes.secret) }),
      finish: async (ctx, { verdict }) => {
        demandConfirmed(verdict);
        return shown(ctx);
      },
    }),
  });
}

function demandConfirmed(verdict: Verdict): void {
  if (verdict === 'nothing to confirm') throw nothingToConfirm();
  if (verdict !== 'confirmed') throw invalidField('code', codeErrors[verdict]);
}

async function shown(ctx: Context): Promise<z.input<typeof CurrentUserView>> {
  const user = await currentUser(ctx.query, ctx.user.id);
  return { ...user, timezone_offset: timezoneOffset(user.timezone, ctx.now()) };
}
