import { redirectUri } from '../oauth/approving-user.ts';
import { openForms } from './forms.ts';
import { about, type World, type Write } from './write.ts';

/** Forms about applications, about brokers who act for users, and about teams, in an order in which each is possible. */
export async function applicationWrites(world: World): Promise<Write[]> {
  return [
    ...(await ownApplicationForms(world)),
    ...(await consentForms(world)),
    ...(await brokerForms(world)),
    await answerToTeam(world),
  ];
}

async function ownApplicationForms(world: World): Promise<Write[]> {
  const { submit, lastId } = await openForms(world);
  const path =
    (rest = '') =>
    async () =>
      `/account/applications/${await lastId('applications', 'owner_user_id')}${rest}`;
  const draft = { name: 'Mine', redirect_uris: redirectUri };
  const own = about('application');
  const revocation = async () => path(`/tokens/${await lastId('access_tokens')}/revoke`)();
  return [
    submit('identity.ownApplications.register', ['/account/applications'], draft, own),
    submit('identity.ownApplications.change', [path()], draft, own),
    submit('identity.ownApplications.rotateSecret', [path(), path('/secret')], {}, own),
    submit(
      'identity.ownApplications.makeToken',
      [path(), path('/tokens')],
      { token_name: 'Mine', scope: 'read' },
      about('access-token'),
    ),
    submit('identity.ownApplications.revokeToken', [path(), revocation], {}, about('access-token')),
    submit('identity.ownApplications.remove', [path('/remove')], {}, own),
  ];
}

async function consentForms(world: World): Promise<Write[]> {
  const { submit } = await openForms(world);
  const owner = await world.system.person();
  const draft = { name: 'Planner', owner: owner.id, redirect_uris: [redirectUri] };
  const { id, client_id } = await world.system.operator.applications.create(draft);
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri: redirectUri });
  const connected = '/account/connected-applications';
  return [
    submit(
      'identity.consent.decide',
      [`/oauth2/authorize?${query}`],
      { decision: 'allow' },
      about('consent'),
    ),
    submit(
      'identity.connectedApplications.withdraw',
      [connected, `${connected}/${id}/withdraw`],
      {},
      about('consent'),
    ),
  ];
}

async function brokerForms(world: World): Promise<Write[]> {
  const [user, broker] = [await openForms(world), await openForms(world)];
  await world.system.operator.users.change({ user: broker.id, is_broker: true });
  const delegation = () => user.lastId('delegations');
  const path = (list: string, verb: string) => async () => `/account/${list}/${await delegation()}/${verb}`;
  const { submit, password } = user;
  const record = about('delegation');
  return [
    broker.submit('identity.invitations.invite', ['/account/sub-accounts'], { email: user.email }),
    submit(
      'identity.brokers.accept',
      ['/account/brokers', path('brokers', 'accept')],
      async () => ({ [`password-${await delegation()}`]: password }),
      record,
    ),
    submit('identity.brokers.leave', ['/account/brokers', path('brokers', 'leave')], {}, record),
    submit('identity.brokers.allow', ['/account/brokers'], { email: broker.email, password }, record),
    broker.submit(
      'identity.invitations.end',
      ['/account/sub-accounts', path('sub-accounts', 'end')],
      {},
      record,
    ),
  ];
}

async function answerToTeam(world: World): Promise<Write> {
  const { id, submit } = await openForms(world);
  const owner = await world.system.person();
  const team = (await owner.api.post('/teams', { name: 'North' })).body;
  const invitation = await world.system.operator.teamMembers.invite({
    team_id: Number(team.id),
    user_id: id,
  });
  return submit(
    'identity.teamPage.answer',
    ['/account/teams', `/account/teams/${invitation.id}/answer`],
    { answer: 'accept' },
    about('team-member', invitation.id),
  );
}
