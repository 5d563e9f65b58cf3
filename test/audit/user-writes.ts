import { planOf } from '../contract/plan.ts';
import { agencyIn } from '../system/agency.ts';
import type { Answer, Headers, Json } from '../system/api.ts';
import { made } from '../system/made.ts';
import type { Person } from '../system.ts';
import { phoneCodeOf } from './phone-code.ts';
import { about, type World, type Write, withToken } from './write.ts';

/** What users do with an access token beyond creating, changing and removing records one by one. */
export async function userWrites(world: World): Promise<Write[]> {
  const { system, call } = world;
  const anna = await system.person();
  const contact = await made(anna, '/contacts', { first_name: 'Bill', mobile_phone: '+16045550125' });
  const list = await made(anna, '/static-lists', { list_name: 'List' });
  const listed = `/static-lists/${list.id}/contacts`;
  const bulk = { action: 'tag', tags: 'Spring', contact_ids: [contact.id] };
  const write = writing(anna);
  const pending = "update users set pending_phone = '+14155552672' where id = $1";
  const paused = 'insert into text_pauses (number, paused_at) values ($1, now())';
  return [
    write('identity.me.patch', ({ patch }) => patch('/me', { first_name: 'Anna' }), about('user', anna.id)),
    write(
      'identity.me.sendPhoneCode',
      async ({ post }) => {
        await system.rows('identity', pending, [anna.id]);
        return post('/me/phone/code', {});
      },
      about(null),
    ),
    write(
      'identity.me.confirmPhone',
      async ({ post }) => post('/me/phone/confirm', { code: await phoneCodeOf(system, anna.id) }),
      about('user', anna.id),
    ),
    write(
      'contacts.consents.patch',
      ({ patch }) => patch(`/contacts/${contact.id}/consent`, { text_state: 'Opted Out' }),
      about('contact', contact.id),
    ),
    {
      operation: 'contacts.consents.optOut',
      run: (requestId) =>
        call(anna.token, 'contacts.consents.optOut', { id: contact.id, channels: ['Text'] }, requestId),
      row: { ...withToken(anna), address: null, ...about('contact', contact.id) },
    },
    write(
      'contacts.staticListContacts.add',
      ({ post }) => post(listed, { contacts_list: [contact.id] }),
      about('static-list', list.id),
    ),
    write(
      'contacts.staticListContacts.remove',
      ({ remove }) => remove(`${listed}/${contact.id}`),
      about('static-list', list.id),
    ),
    write(
      'contacts.bulkOperations.create',
      ({ post }) => post('/bulk-operations', bulk),
      about('bulk-operation'),
    ),
    write(
      'contacts.bulkOperations.patch',
      async ({ patch }) => {
        const { body } = await anna.api.post('/bulk-operations', bulk);
        return patch(`/bulk-operations/${body.id}`, { status: 'Canceled' });
      },
      about('bulk-operation'),
    ),
    write(
      'contacts.imports.create',
      ({ upload }) => upload('/imports?dry_run=true', 'First Name\nCarl'),
      about('import'),
    ),
    write(
      'contacts.imports.patch',
      async ({ patch, upload }) => {
        const { body } = await upload('/imports', 'First Name\nCarl');
        return patch(`/imports/${body.id}`, { status: 'Canceled' });
      },
      about('import'),
    ),
    {
      operation: 'contacts.importedRows.add',
      run: (requestId) => {
        const rows = [{ key: 'a', contact: { first_name: 'Carl' }, shared_with: [] }];
        return call(anna.token, 'contacts.importedRows.add', { rows }, requestId);
      },
      // Not through the gateway, which alone tells from which address a request came.
      row: { ...withToken(anna), address: null, ...about('contact') },
    },
    write(
      'scheduling.textPauses.end',
      async ({ post }) => {
        await system.rows('scheduling', paused, ['+16045550125']);
        return post(`/contacts/${contact.id}/text-pause/end`, { texts: 'continue' });
      },
      about('contact', contact.id),
    ),
    write(
      'scheduling.communications.patch',
      async ({ patch, list: read }) => {
        const plan = planOf(7, 'Welcome', anna.id, contact.id);
        await anna.scheduling.enrolments.enrol({ campaign_contact_id: 7, plan });
        const path = `/contacts/${contact.id}/campaign-communications`;
        const [one] = (await read(path)).data;
        return patch(`${path}/${one?.id}`, { is_active: false });
      },
      about('communication'),
    ),
    ...(await teamWrites(world)),
    ...(await leadWrites(world)),
  ];
}

/** Sends what a person writes, with the id of the request, and throws if it is refused. */
const writing =
  (person: Person) =>
  (operation: string, act: (send: Sender) => Promise<Answer>, record: Json): Write => ({
    operation,
    run: async (requestId) => {
      const { status, body } = await act(senderFor(person, { 'x-request-id': requestId }));
      if (status >= 300) throw new Error(`${operation} responded with ${status}: ${JSON.stringify(body)}`);
    },
    row: { ...withToken(person), ...record },
  });

type Sender = ReturnType<typeof senderFor>;

const senderFor = ({ api }: Person, headers: Headers) => ({
  list: api.list,
  post: (path: string, body: object) => api.post(path, body, headers),
  patch: (path: string, body: object) => api.patch(path, body, headers),
  upload: (path: string, text: string) =>
    api.send('POST', path, text, { ...headers, 'content-type': 'text/csv' }),
  remove: (path: string) => api.delete(path, headers),
});

async function teamWrites({ system }: World): Promise<Write[]> {
  const [anna, ben] = [await system.person(), await system.person()];
  const team = await made(anna, '/teams', { name: 'North', order_method: 'Rank' });
  const invited = await system.operator.teamMembers.invite({ team_id: team.id, user_id: ben.id });
  const folder = await made(anna, '/template-folders', { name: 'Buyers' });
  return [
    writing(ben)(
      'identity.teamMembers.patch',
      ({ patch }) => patch(`/team-members/${invited.id}`, { request_status: 'Accepted' }),
      about('team-member', invited.id),
    ),
    writing(anna)(
      'campaigns-templates.templateFolders.share',
      ({ post }) => post(`/template-folders/${folder.id}/shares`, { user_id: ben.id }),
      about('template-folder'),
    ),
  ];
}

async function leadWrites({ system }: World): Promise<Write[]> {
  const { anna, ben, contact_id, source_id } = await agencyIn(system)();
  const [claimed, declined] = [
    await made(anna, '/leads', { contact_id, source_id }),
    await made(anna, '/leads', { contact_id, source_id }),
  ];
  return [
    writing(anna)(
      'leads-routing.offers.send',
      async ({ post }) => {
        await post(`/leads/${declined.id}/offers`, {});
        return post(`/leads/${claimed.id}/offers`, {});
      },
      about('offer'),
    ),
    writing(ben)(
      'leads-routing.leads.claim',
      ({ post }) => post(`/leads/${claimed.id}/claim`, {}),
      about('lead', claimed.id),
    ),
    writing(ben)(
      'leads-routing.leads.decline',
      ({ post }) => post(`/leads/${declined.id}/decline`, {}),
      about('offer'),
    ),
  ];
}
