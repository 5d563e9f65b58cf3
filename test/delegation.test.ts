import { createClient } from '@crm/client';
import { onlyInPerson } from '@crm/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { inShape } from './contract/in-shape.ts';
import { agencyIn } from './system/agency.ts';
import { operations as all } from './system/definitions.ts';
import { join, made, ok } from './system/made.ts';
import { until } from './system/until.ts';
import { type Person, shapes, startSystem } from './system.ts';

const records = 'find get create patch remove';

/**
 * What a user does with an access token of their own, and whether a broker may do it for them. Whatever is added has to
 * be decided here.
 */
const expectations: Readonly<Record<string, { readonly both: string; readonly own?: string }>> = {
  'identity.me': { both: 'get', own: 'patch sendPhoneCode confirmPhone' },
  // Refused to the user as well, who is not a broker.
  'identity.subAccounts': { both: 'find get create remove' },
  'identity.teamMembers': { both: 'find get', own: 'patch' },
  'identity.teams': { both: 'find get create', own: 'patch remove' },
  'identity.users': { both: 'find get' },
  'contacts.addresses': { both: records },
  'contacts.bulkOperationErrors': { both: 'find' },
  'contacts.bulkOperations': { both: 'find get create patch' },
  'contacts.consents': { both: 'get patch optOut optedOut' },
  'contacts.contactHistory': { both: 'find' },
  'contacts.contactSources': { both: `${records} lastChanged` },
  'contacts.contacts': { both: `${records} access` },
  'contacts.customFields': { both: records },
  'contacts.eventProperties': { both: records },
  'contacts.events': { both: records },
  'contacts.exports': { both: 'contacts' },
  'contacts.hotnesses': { both: records },
  'contacts.importedRows': { both: 'known matches add' },
  'contacts.imports': { both: 'find get create patch errors warnings' },
  'contacts.shares': { both: 'find get create remove ofContacts' },
  'contacts.staticListContacts': { both: 'find add remove' },
  'contacts.staticLists': { both: 'find get create remove' },
  'contacts.tags': { both: records },
  'scheduling.communications': { both: 'find get patch' },
  'scheduling.scheduledTasks': { both: records },
  'scheduling.taskCategories': { both: records },
  'scheduling.tasks': { both: records },
  'scheduling.textPauses': { both: 'end' },
  'campaigns-templates.campaignActions': { both: records },
  'campaigns-templates.campaignContacts': { both: 'find get create remove' },
  'campaigns-templates.campaigns': { both: `${records} access preview` },
  'campaigns-templates.templateFolders': { both: `${records} share` },
  'campaigns-templates.templates': { both: `${records} render` },
  'leads-routing.auditEvents': { both: 'find' },
  'leads-routing.distributionOptions': { both: records },
  'leads-routing.leadHistory': { both: 'find' },
  'leads-routing.leadRoutes': { both: `${records} simulate` },
  'leads-routing.leadSources': { both: 'find get' },
  'leads-routing.leads': { both: 'find get create claim decline routing' },
  'leads-routing.offers': { both: 'find get send' },
};

const operations = all.map((one) => ({ ...one, procedure: `${one.service}.${one.procedure}` }));
type Call = (typeof operations)[number];

const expected = new Map<string, 'both' | 'own'>(
  Object.entries(expectations).flatMap(([noun, { both, own = '' }]) => [
    ...both.split(' ').map((name) => [`${noun}.${name}`, 'both'] as const),
    ...own.split(' ').map((name) => [`${noun}.${name}`, 'own'] as const),
  ]),
);
const ofUsers = operations.filter(({ operation }) => operation.for === 'user');
const ofTheSystem = operations.filter(({ operation }) => operation.for === 'system');

it('every operation of a user is decided, and none that does not exist', () => {
  const decided = [...expected.keys()].filter((name) => !name.endsWith('.'));
  expect(decided.sort()).toEqual(ofUsers.map(({ procedure }) => procedure).sort());
});

describe.each(shapes)('%s: a broker who acts for a user', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);

  async function pair(user?: Person) {
    const [kim, lee] = [await system.person({ is_broker: true }), user ?? (await system.person())];
    await lee.allows(kim);
    const { body } = await kim.api.post('/sub-accounts', { user_id: lee.id });
    return { kim, lee, id: Number(body.id), acting: String(body.access_token) };
  }
  type Pair = Awaited<ReturnType<typeof pair>>;
  const { lee, acting } = await pair();

  const subscribe = async (token: string, service: string, procedure: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const asked = { method: 'POST', headers, body: '{}' };
    const { status } = await fetch(`${system.services[service]}/trpc/${procedure}`, asked);
    return status === 403 ? 'Forbidden' : `${status}`;
  };
  /** Without an input, which is read after the rights are checked. */
  const outcomeOf = async (token: string, { service, contract, noun, name }: Call) => {
    const client = createClient(contract, { url: system.services[service] ?? '', token });
    const nouns = client as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>;
    const call = nouns[noun]?.[name];
    if (typeof call !== 'function') return subscribe(token, service, `${noun}.${name}`);
    return call({}).then(
      () => 'done',
      ({ name, message }) => `${name}: ${message}`,
    );
  };
  const refusal = `Forbidden: ${onlyInPerson().message}`;

  it.each(inShape(shape, ofUsers))('may do what is decided: $procedure', async (call) => {
    expect(await outcomeOf(lee.token, call)).not.toBe(refusal);
    const answer = await outcomeOf(acting, call);
    if (expected.get(call.procedure) === 'own') expect(answer).toBe(refusal);
    else {
      expect(answer).not.toBe(refusal);
      expect(answer).not.toMatch(/^NotAuthenticated/);
    }
  });

  it('may nothing that only the system may, like the user', async () => {
    for (const call of ofTheSystem)
      for (const token of [lee.token, acting]) expect(await outcomeOf(token, call)).toMatch(/^Forbidden/);
  });

  it('is refused in all services at once when the user leaves', async () => {
    const { lee, acting, id, kim } = await pair();
    const [contact, mate] = [await made(lee, '/contacts', { first_name: 'Bill' }), await system.person()];
    const team = await made(lee, '/teams', { name: 'North' });
    await join(system, team.id, mate);
    const shares = `/contacts/${contact.id}/shares`;
    expect(await system.as(acting).post(shares, { user_id: kim.id })).toMatchObject({ status: 403 });
    expect(await system.as(acting).post(shares, { user_id: mate.id })).toMatchObject({ status: 201 });
    const lists = ofUsers.filter(({ procedure }) =>
      /\.(users|contacts|tasks|campaigns|leads)\.find$/.test(procedure),
    );
    expect(new Set(lists.map(({ service }) => service)).size).toBe(5);
    for (const call of lists) expect(await outcomeOf(acting, call)).toBe('done');
    expect(await kim.api.delete(`/sub-accounts/${id}`)).toMatchObject({ status: 200 });
    for (const call of lists) expect(await outcomeOf(acting, call)).toMatch(/^NotAuthenticated/);
    await system.settled();
    // A worker undoes it.
    await expect.poll(() => lee.api.list(shares)).toMatchObject({ total: 0 });
    expect(await mate.api.get(`/contacts/${contact.id}`)).toMatchObject({ status: 404 });
  });

  const ends: Readonly<Record<string, (pair: Pair) => Promise<unknown>>> = {
    'the broker removes the sub-account': ({ kim, id }) => ok(kim.api.delete(`/sub-accounts/${id}`)),
    'the user gets another password': ({ lee }) =>
      system.operator.users.changePassword({ user: lee.id, password: 'another password' }),
    "the broker's account is disabled": ({ kim }) => system.operator.users.disable({ user: kim.id }),
  };

  it.each(Object.entries(ends))('submits leads that stay with the user after %s', async (_, end) => {
    const { anna, ben, contact_id, source_id: lead_source_id } = await agencyIn(system)();
    const { data } = await anna.api.list('/team-member-distribution-options');
    await ok(
      anna.api.patch(`/team-member-distribution-options/${data[0]?.id}`, { mins_until_lead_offer: 60 }),
    );
    const { source_id } = (await anna.api.get(`/contacts/${contact_id}`)).body;
    const two = await pair(anna);
    const api = system.as(two.acting);
    const submitted = async () => {
      const contact = await made({ api }, '/contacts', { first_name: 'Carla', source_id });
      const lead = await made({ api }, '/leads', { contact_id: contact.id, source_id: lead_source_id });
      await ok(api.post(`/leads/${lead.id}/offers`, {}));
      return { lead: lead.id, contact: contact.id };
    };
    const due = (lead: number) =>
      system.rows(
        'leads-routing',
        `with due as (update lead_offers set notify_at = now() where lead_id = $1 returning id)
         update lead_alerts a set due_at = now(), next_attempt_at = now() from due where a.offer_id = due.id`,
        [lead],
      );
    const claim = (lead: number) => ok(ben.api.post(`/leads/${lead}/claim`, {}));
    const told = ({ email }: Person, lead: number) =>
      until(async () =>
        (await system.carriers.mail.mails()).find(
          ({ to, text }) => to.includes(email) && text?.includes(`Lead: ${lead}\n`),
        ),
      );

    const [claimed, offered, unclaimed] = [await submitted(), await submitted(), await submitted()];
    await due(claimed.lead);
    await claim(claimed.lead);
    await end(two);
    await system.settled();
    const undone = () => system.rows('contacts', 'select from delegations where undo_due_at is not null');
    await expect.poll(undone).toEqual([]);
    await due(offered.lead);
    await told(ben, offered.lead);
    await claim(offered.lead);
    await system.rows('leads-routing', 'update leads set runs_out_at = now() where id = $1', [
      unclaimed.lead,
    ]);
    await told(anna, unclaimed.lead);
    for (const { contact } of [claimed, offered])
      expect(await ben.api.get(`/contacts/${contact}`)).toMatchObject({ status: 200 });
  });

  it('is named with the user in logs, events and tasks of other services', async () => {
    const { kim, lee, acting } = await pair();
    const own = await lee.api.post('/tags', { content: 'mine' });
    const theirs = await system.as(acting).post('/tags', { content: 'theirs' });
    expect([own.status, theirs.status]).toEqual([201, 201]);
    const names = { user: `user/${lee.id}`, act: `user/${kim.id}` };
    await expect
      .poll(system.logs)
      .toContainEqual(expect.objectContaining({ procedure: 'tags.create', ...names }));
    const last = (await system.published('contacts')).at(-1);
    expect(last).toMatchObject({ actor: names.user, act: names.act });
    const task = { assigned_user_id: kim.id, description: 'Call', action_type: 'None', status: 'incomplete' };
    expect(await system.as(acting).post('/tasks', task)).toMatchObject({ status: 403 });
    expect(await lee.api.post('/tasks', task)).toMatchObject({ status: 201 });
  });
});
