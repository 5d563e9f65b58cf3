import { noRecord, type WebAnswer } from '@crm/contract';
import { implement } from '@crm/service';
import { invite, maxInvitations } from '../delegations/invite.ts';
import { leave } from '../sub-accounts/leave.ts';
import { Switches } from '../sub-accounts/sub-account.api.ts';
import { invitationPageApi } from './broker.api.ts';
import { addressIn } from './form.ts';
import { subAccountsPage } from './invitation.page.ts';
import { goTo } from './page.ts';
import { idIn, paths } from './paths.ts';
import { switchesIn } from './switches.ts';
import { acting, orMissing, showing, type Visit, type Visited } from './visit.ts';

export const invitationPageHandlers = (publicUrl: string) =>
  implement(invitationPageApi, {
    list: showing(paths.subAccounts, forBrokers(subAccountsPage)),
    invite: acting(publicUrl, paths.subAccounts, forBrokers(inviteUser)),
    end: acting(
      publicUrl,
      ({ params }) => paths.subAccountEnd(params.delegation_id ?? ''),
      forBrokers(async ({ ctx, user, request }) => {
        await leave(ctx, idIn(request, 'delegation_id'), { broker_user_id: user.id });
        return goTo(paths.subAccounts);
      }),
    ),
  });

/** For brokers only; everybody else gets a 404. */
function forBrokers(act: Visited): Visited {
  return orMissing(async (visit) => {
    if (!visit.user.is_broker) throw noRecord(0);
    return act(visit);
  });
}

const problems = {
  known: 'This user is already in the list.',
  'too many': `You have ${maxInvitations} open invitations. Withdraw one first.`,
} as const;

async function inviteUser(visit: Visit): Promise<WebAnswer> {
  const email = addressIn(visit.fields);
  const refuse = (error: string) =>
    subAccountsPage(visit, { status: 422, title: 'Nobody was invited.', errors: { email: error } });
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 255) return refuse('Enter an e-mail address.');
  const switches = Switches.parse(switchesIn(visit.fields));
  const invitation = { brokerId: visit.user.id, email, switches };
  const outcome = await invite(visit.ctx, invitation);
  return outcome === 'invited' ? goTo(paths.subAccounts) : refuse(problems[outcome]);
}
