import { randomUUID } from 'node:crypto';
import { planOf } from '../contract/plan.ts';
import { about, bySystem, type World, type Write } from './write.ts';

const number = '+16045550124';

/** What a service does at another one as itself. A user is named if an event concerns one. */
export async function serviceWrites({ system, call }: World): Promise<Write[]> {
  const [lee, kim] = [await system.person(), await system.person()];
  const { body: contact } = await lee.api.post('/contacts', { first_name: 'Bill' });
  const { body: campaign } = await lee.api.post('/campaigns', { name: 'Welcome' });
  const [contact_id, campaign_id] = [Number(contact.id), Number(campaign.id)];
  const plan = planOf(campaign_id, 'Welcome', lee.id, contact_id);
  const at = new Date().toISOString();

  const write = (caller: string, operation: string, input: object, row: object): Write => ({
    operation,
    run: (requestId) => call(caller, operation, input, requestId),
    row: { ...bySystem(), ...row },
  });
  const request = { params: {}, query: '', headers: {}, body: '', address: '127.0.0.1' };
  const text = { id: 'SM2', from_number: number, body: 'Hello', received_at: at };
  const [upload] = await system.rows(
    'contacts',
    `insert into imports (user_id, origin, type, status, is_held, dry_run, duplicates, match, create_missing, mapping,
       created_at, modified_at)
     values ($1, '{}', 'text/csv', 'Uploading', true, true, 'skip', 'both', false, '{}', now(), now()) returning id`,
    [lee.id],
  );
  const part = { id: upload?.id, index: 0, text: 'First Name', is_last: false };
  const { body: tagging } = await lee.api.post('/bulk-operations', {
    action: 'tag',
    tags: 'x',
    contact_ids: [contact_id],
  });
  const portion = { id: Number(tagging.id), processed: 0, count: 1, problems: [] };
  return [
    write('gateway', 'contacts.imports.receive', part, {
      ...bySystem(lee.id),
      ...about('import', upload?.id),
    }),
    write(
      'scheduling',
      'contacts.events.recordText',
      { text_id: 'SM2', contact_ids: [contact_id], description: 'Hello', at },
      { ...bySystem(lee.id), ...about('activity') },
    ),
    write('scheduling', 'contacts.optOuts.add', { number, at }, about('opt-out')),
    write(
      'scheduling',
      'contacts.optOuts.remove',
      { number, at: new Date().toISOString() },
      about('opt-out'),
    ),
    write('scheduling', 'contacts.optOuts.pause', { number, at }, about(null)),
    write('scheduling', 'contacts.optOuts.resume', { number, at }, about(null)),
    write(
      'scheduling',
      'contacts.optOuts.addEmail',
      { email: 'bill@example.com', at, source: 'Bounce' },
      about('opt-out'),
    ),
    write(
      'leads-routing',
      'contacts.shares.give',
      { contact_id, user_id: kim.id },
      { ...bySystem(lee.id), ...about('contact', contact_id) },
    ),
    write(
      'campaigns-templates',
      'contacts.bulkOperations.nextPortion',
      { id: portion.id, size: 1 },
      about('bulk-operation', portion.id),
    ),
    write(
      'campaigns-templates',
      'contacts.bulkOperations.settlePortion',
      portion,
      about('bulk-operation', portion.id),
    ),
    write('campaigns-templates', 'scheduling.enrolments.storeTexts', { texts: ['Hello'] }, about(null)),
    write(
      'campaigns-templates',
      'scheduling.enrolments.enrol',
      { campaign_contact_id: campaign_id, plan },
      { ...bySystem(lee.id), ...about('enrolment', campaign_id) },
    ),
    write(
      'campaigns-templates',
      'scheduling.enrolments.stop',
      { campaign_id },
      about('campaign', campaign_id),
    ),
    write('scheduling', 'identity.visitors.read', { request, path: '/account/sending' }, about(null)),
    write(
      'scheduling',
      'identity.unreachableAddresses.note',
      { address: 'nobody@example.com', why: 'unreachable', at },
      about(null),
    ),
    write(
      'leads-routing',
      'scheduling.bounces.settle',
      { reports: [{ key: randomUUID(), reported_at: at }] },
      about(null),
    ),
    write(
      'leads-routing',
      'identity.accountMails.report',
      { reports: [{ key: randomUUID(), state: 'Failed', reason: null, is_unreachable: true }] },
      about(null),
    ),
    write('leads-routing', 'scheduling.inboundTexts.add', text, about('inbound-text', null)),
    write(
      'leads-routing',
      'scheduling.inboundTexts.decide',
      { id: 'SM2', is_claim: false, reply: null },
      about(null),
    ),
  ];
}
