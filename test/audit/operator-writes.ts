import { randomUUID } from 'node:crypto';
import { about, anId, byOperator, type World, type Write } from './write.ts';

const redirect_uris = ['https://app.example.com/'];

/** What the crm command does, with the credential of the operator. */
export async function operatorWrites({ system, call }: World): Promise<Write[]> {
  const [lee, kim] = [await system.person(), await system.person()];
  const broker = await system.person({ is_broker: true });
  const { body: team } = await lee.api.post('/teams', { name: 'North', order_method: 'Rank' });
  const { access_token } = await system.operator.tokens.create({ user: kim.id });
  const mia = await system.person();
  const { body: contact } = await mia.api.post('/contacts', { first_name: 'Anna' });
  const { id } = await system.operator.applications.create({ name: 'App', owner: lee.id, redirect_uris });

  const write = (operation: string, input: object, user: unknown, record: object): Write => ({
    operation,
    run: (requestId) => call('operator', operation, input, requestId),
    row: { ...byOperator(user), ...record },
  });
  const ofLee = { user: lee.id };
  const onLee = (operation: string, input: object = {}) =>
    write(operation, { ...ofLee, ...input }, lee.id, about('user', lee.id));
  const onApp = (operation: string) => write(operation, { id }, lee.id, about('application', id));
  const membership = { team_id: team.id, user_id: kim.id };
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  const text = { id: 'SM1', number: '+16045550123', at: new Date().toISOString() };
  return [
    write('identity.users.create', account, anId, about('user')),
    onLee('identity.users.change', { first_name: 'Lee' }),
    onLee('identity.users.changePassword', { password: randomUUID() }),
    onLee('identity.users.disable'),
    onLee('identity.users.enable'),
    write('identity.tokens.create', ofLee, lee.id, about('access-token')),
    write('identity.tokens.revoke', { token: access_token }, kim.id, about('access-token')),
    write(
      'identity.applications.create',
      { name: 'B', owner: lee.id, redirect_uris },
      lee.id,
      about('application'),
    ),
    onApp('identity.applications.change'),
    onApp('identity.applications.rotateSecret'),
    onApp('identity.applications.remove'),
    write('identity.calendarFeeds.create', ofLee, lee.id, about('calendar-feed')),
    write('identity.calendarFeeds.remove', ofLee, lee.id, about('calendar-feed')),
    write('identity.subAccounts.consent', { broker: broker.id, user: kim.id }, kim.id, about('delegation')),
    write('identity.teamMembers.invite', membership, kim.id, about('team-member')),
    write('identity.teamMembers.remove', membership, kim.id, about('team-member')),
    write(
      'contacts.assignments.assign',
      { from_user_id: mia.id, to_user_id: kim.id },
      mia.id,
      about('contact', contact.id),
    ),
    write('scheduling.sendingPauses.add', { user_id: lee.id }, lee.id, about(null)),
    write('scheduling.sendingPauses.remove', { user_id: lee.id }, lee.id, about(null)),
    write('scheduling.replies.take', text, null, about(null)),
    ...deadLetterWrites({ system, call }),
  ];
}

const consumers = ['campaigns-templates', 'contacts', 'leads-routing', 'scheduling'];
const letter = `insert into dead_letters (subject, headers, data, reason, failures, stream, seq, sent_at)
  values ('crm.identity.user.created', '{}', 'poison', 'It is no event.', 1, 'CRM_IDENTITY', $1, now()) returning id`;

/** Each with a letter of its own. */
const deadLetterWrites = ({ system, call }: World): Write[] =>
  consumers.flatMap((service) =>
    ['discard', 'redrive'].map((name, index) => ({
      operation: `${service}.deadLetters.${name}`,
      run: async (requestId) => {
        const [row] = await system.rows(service, letter, [index + 1]);
        return call('operator', `${service}.deadLetters.${name}`, { id: row?.id }, requestId);
      },
      row: { ...byOperator(null), ...about('dead-letter') },
    })),
  );
