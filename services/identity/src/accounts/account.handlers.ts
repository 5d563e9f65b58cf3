import { invalidField } from '@crm/contract';
import { answerWith, findPage, implement } from '@crm/service';
import { linkInvitations } from '../delegations/delegation.queries.ts';
import { sendInvitation } from '../password-resets/send-invitation.ts';
import { readPhone } from '../phones/phone-number.ts';
import { allowBrokerOfNewAccount } from '../sub-accounts/allow-broker-of-new-account.ts';
import { hashPassword, noPassword } from '../users/password.ts';
import { lockUser } from '../users/user-named.ts';
import { accountApi } from './account.api.ts';
import { accountRows } from './account.queries.ts';
import { changeAccount, changePassword } from './change-account.ts';
import { createAccount } from './create-account.ts';
import { disableAccount, enableAccount } from './disable-account.ts';

interface Secrets {
  /** The tokens of sub-accounts are derived from it. */
  readonly subAccountKey: string;
  /** The tokens of links in e-mails are derived from it. */
  readonly linkSecret: string;
}

export function accountHandlers({ subAccountKey, linkSecret }: Secrets) {
  return implement(accountApi, {
    search: (ctx, input) => findPage(ctx, accountRows, input),

    create: async (ctx, { password, invite, phone, sub_account_of, ...draft }) => {
      if (invite && password !== undefined)
        throw invalidField('invite', 'needs no password: the user chooses one');
      const account = { ...draft, phone: readPhone(phone) };
      const { id } = await createAccount(ctx, account, password ? await hashPassword(password) : noPassword);
      if (invite) await sendInvitation(ctx.query, id, linkSecret);
      if (sub_account_of !== undefined) await allowBrokerOfNewAccount(ctx, id, sub_account_of, subAccountKey);
      // Last, because a broker for whom the account was created needs no invitation.
      await linkInvitations(ctx.query, id);
      return answerWith(ctx, accountRows, id);
    },

    change: async (ctx, { user: named, ...changes }) => {
      const user = await lockUser(ctx, named);
      await changeAccount(ctx, user, changes);
      return answerWith(ctx, accountRows, user.id);
    },

    changePassword: async (ctx, { user: named, password }) => {
      // Hashing is slow on purpose, so it is done before the account is locked.
      const password_hash = await hashPassword(password);
      const user = await lockUser(ctx, named);
      await changePassword(ctx, user, { password_hash, kind: 'password changed', origin: undefined });
      return answerWith(ctx, accountRows, user.id);
    },

    disable: async (ctx, { user: named }) => {
      const user = await lockUser(ctx, named);
      const applications = await disableAccount(ctx, user);
      const { result } = await answerWith(ctx, accountRows, user.id);
      return { ...JSON.parse((await result).text), applications };
    },

    enable: async (ctx, { user: named }) => {
      const user = await lockUser(ctx, named);
      await enableAccount(ctx, user);
      return answerWith(ctx, accountRows, user.id);
    },
  });
}
