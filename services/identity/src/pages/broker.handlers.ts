import { noRecord, Refused, type WebAnswer } from '@crm/contract';
import { implement, inSteps } from '@crm/service';
import { Delegation, isOpen } from '../delegations/delegation.entity.ts';
import type { PasswordAttempts } from '../sessions/password-attempts.ts';
import { allowBroker } from '../sub-accounts/allow-broker.ts';
import { leave } from '../sub-accounts/leave.ts';
import { User } from '../users/user.entity.ts';
import { brokerPageApi } from './broker.api.ts';
import { brokersPage } from './broker.page.ts';
import { addressIn, type FieldErrors } from './form.ts';
import { goTo } from './page.ts';
import { type Problem, passwordAgain } from './password-again.ts';
import { idIn, paths } from './paths.ts';
import { acting, noted, orMissing, showing, type Visit } from './visit.ts';

interface BrokerPages {
  readonly passwords: PasswordAttempts;
  readonly subAccountKey: string;
}

const nobodyAllowed = 'Nobody was allowed to act for you.';

export function brokerPageHandlers(publicUrl: string, pages: BrokerPages) {
  const withPassword = passwordAgain(publicUrl, pages.passwords);
  return implement(brokerPageApi, {
    list: showing(paths.brokers, brokersPage),
    allow: inSteps(
      brokerPageApi.allow,
      withPassword({
        title: nobodyAllowed,
        path: paths.brokers,
        nameOf: () => 'password',
        act: (visit, problem) => allow(visit, pages, problem),
      }),
    ),
    accept: inSteps(
      brokerPageApi.accept,
      withPassword({
        title: nobodyAllowed,
        path: ({ params }) => paths.brokerAcceptance(params.delegation_id ?? ''),
        nameOf: ({ params }) => `password-${params.delegation_id}`,
        act: (visit, problem) => orMissing((found) => accept(found, pages, problem))(visit),
      }),
    ),
    leave: acting(
      publicUrl,
      ({ params }) => paths.brokerLeaving(params.delegation_id ?? ''),
      orMissing(async (visit) => {
        const delegationId = idIn(visit.request, 'delegation_id');
        await leave(visit.ctx, delegationId, { user_id: visit.user.id });
        await noted(visit, { kind: 'broker ended', delegationId });
        return goTo(paths.brokers);
      }),
    ),
  });
}

async function allow(visit: Visit, pages: BrokerPages, problem: Problem): Promise<WebAnswer> {
  const wrong = await problem();
  if (wrong) return brokersPage(visit, wrong);
  const email = addressIn(visit.fields).toLowerCase();
  const broker = await visit.ctx.em.findOne(User, { email, is_broker: true });
  return allowing(visit, pages, broker?.id ?? 0);
}

async function accept(visit: Visit, pages: BrokerPages, problem: Problem): Promise<WebAnswer> {
  const id = idIn(visit.request, 'delegation_id');
  const which = { id, user_id: visit.user.id, state: 'pending' as const, given_at: null };
  const delegation = await visit.ctx.em.findOne(Delegation, which);
  if (!delegation) throw noRecord(id);
  const wrong = await problem();
  if (wrong) return brokersPage(visit, wrong);
  if (!isOpen(delegation, visit.ctx.now()))
    return brokersPage(visit, {
      status: 409,
      title: 'The invitation has expired. The broker can send another.',
    });
  if (visit.fields.get('version') !== String(delegation.version))
    return brokersPage(visit, { status: 409, title: 'The invitation has changed. Please read it again.' });
  return allowing(visit, pages, delegation.broker_user_id);
}

async function allowing(visit: Visit, { subAccountKey }: BrokerPages, brokerId: number): Promise<WebAnswer> {
  try {
    const consent = {
      brokerId,
      userId: visit.user.id,
      by: 'account page',
      origin: visit.request,
    } as const;
    await allowBroker(visit.ctx, consent, subAccountKey);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const title = error.errors.user
      ? `You cannot be a sub-account of this broker: your account ${error.errors.user}.`
      : nobodyAllowed;
    const errors: FieldErrors = error.errors.broker
      ? { email: 'There is no broker with this e-mail address.' }
      : {};
    return brokersPage(visit, { status: 422, title, errors });
  }
  return goTo(paths.brokers);
}
