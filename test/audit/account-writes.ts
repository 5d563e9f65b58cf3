import { visitorAt } from '../oauth/approving-user.ts';
import { until } from '../system/until.ts';
import { openForms, type Submit } from './forms.ts';
import { phoneCodeOf } from './phone-code.ts';
import { about, byVisitor, type World, type Write } from './write.ts';

const newPassword = 'another long password';
const account = '/account';
const security = '/account/security';

/** Forms with which users keep their account, in an order in which each is possible. */
export async function accountWrites(world: World): Promise<Write[]> {
  const { system, call } = world;
  const { id, email, password, submit, lastId } = await openForms(world);
  await visitorAt(system.url).submitFrom('/sign-in', '/sign-in', { email, password });
  await system.operator.tokens.create({ user: id });
  const pending = "update users set pending_phone = '+14155552671' where id = $1";
  const profile = { first_name: 'Ada', last_name: '', phone: '', timezone: 'Europe/Berlin' };
  const self = about('user', id);
  const passwords = { current_password: password, new_password: newPassword };
  const codePage = async () => {
    await system.rows('identity', pending, [id]);
    return account;
  };
  const unreachablePage = async () => {
    const unreachable = { address: email, why: 'unreachable', at: new Date().toISOString() };
    await call('scheduling', 'identity.unreachableAddresses.note', unreachable, 'noted');
    return account;
  };
  const importPage = async () => {
    const [last] = await system.rows('contacts', 'select max(id) as id from imports where user_id = $1', [
      id,
    ]);
    return `/account/import/${last?.id}`;
  };
  const links = async () =>
    (await system.carriers.mail.mails())
      .filter(({ to }) => to.includes(email))
      .flatMap(({ text }) => /\/reset-password\/[\w-]+/.exec(text ?? '')?.[0] ?? []);
  const resetPath = () => until(async () => (await links())[0]);
  return [
    submit(
      'identity.account.makeCalendarFeed',
      [account, '/account/calendar-feed'],
      {},
      about('calendar-feed'),
    ),
    submit(
      'identity.account.removeCalendarFeed',
      [account, '/account/calendar-feed/remove'],
      {},
      about('calendar-feed'),
    ),
    submit('identity.profile.change', [account, '/account/profile'], profile, self),
    submit('identity.profile.sendCode', [codePage, '/account/phone/code']),
    submit(
      'identity.profile.confirmPhone',
      [account, '/account/phone/confirm'],
      async () => ({ code: await phoneCodeOf(system, id) }),
      self,
    ),
    submit('identity.profile.tryAgain', [unreachablePage, '/account/reachable'], { address: email }),
    submit('scheduling.pausePage.change', ['/account/sending']),
    await decisionAboutTexts(world, id, submit),
    submit(
      'contacts.importPages.upload',
      ['/account/import'],
      { file: new File(['First Name\nAda'], 'people.csv') },
      about('import'),
    ),
    submit('contacts.importPages.change', [importPage], { act: 'cancel' }, about('import')),
    submit(
      'identity.security.revokeToken',
      [security, async () => `${security}/tokens/${await lastId('access_tokens')}/revoke`],
      {},
      about('access-token'),
    ),
    submit('identity.security.endDevice', [
      security,
      async () => `${security}/devices/${await lastId('known_devices')}/end`,
    ]),
    submit('identity.security.changePassword', [security, '/account/password'], passwords, self),
    submit('identity.signOut.signOut', [account, '/sign-out']),
    submit('identity.signIn.signIn', ['/sign-in'], { email, password: newPassword }),
    submit('identity.security.signOutEverywhere', [security, `${security}/sign-out`]),
    { ...submit('identity.passwordResets.send', ['/forgotten-password'], { email }), row: byVisitorAlone },
    {
      ...submit('identity.passwordResets.reset', [resetPath], { new_password: `${newPassword}er` }),
      // Whoever has the mailbox; nobody is signed in.
      row: { ...byVisitor(id), ...self },
    },
  ];
}

/** On the page, about a contact who has asked to be left alone. */
async function decisionAboutTexts({ system }: World, user: number, submit: Submit): Promise<Write> {
  const { access_token } = await system.operator.tokens.create({ user, scope: 'write' });
  const mobile_phone = '+16045550127';
  const contact = await system.as(access_token).post('/contacts', { first_name: 'Bill', mobile_phone });
  for (const service of ['contacts', 'scheduling'])
    await system.rows(service, 'insert into text_pauses (number, paused_at) values ($1, now())', [
      mobile_phone,
    ]);
  const fields = { contact_id: String(contact.body.id), texts: 'continue' };
  return submit(
    'scheduling.textPausePage.decide',
    ['/account/paused-texts'],
    fields,
    about('contact', contact.body.id),
  );
}

const byVisitorAlone = { ...byVisitor(), ...about(null) };
