import { type Urls, verifySystem } from '@crm/crm/verify';
import { connectBroker } from '@crm/messaging';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from './system/api.ts';
import { join, type Made, made } from './system/made.ts';
import { shapesFor, startSystem } from './system.ts';
import { type Add, addCampaign } from './walkthrough/campaign.ts';

interface Previewed {
  readonly communications: readonly Json[];
  readonly tasks: readonly Json[];
}

describe.each(shapesFor(import.meta))('%s: the life of a customer', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const { mail, carrier } = system.carriers;
  const [anna, ben] = [await system.person(), await system.person()];
  const email = 'carla.berg@example.com';
  const number = '+16045550147';

  it('starts with a search, becomes a lead and a campaign, which a reply, an agent and its removal stop', async () => {
    const contact = await searchedAndAdded();
    const campaign = await claimedWithCampaign(contact);
    const enrolled = await doneAsPreviewed(contact, campaign);
    await arrived(contact);
    await stoppedByReply(contact);
    await markedByAgent(contact);
    await takenOut(contact, campaign, enrolled);
    await agreesEverywhere();
  });

  const add: Add = (path, draft) => made(anna, path, draft);
  const records = async (path: string) => (await anna.api.list(path)).data;
  const communicationsOf = ({ id }: Made, query = '') =>
    records(`/contacts/${id}/campaign-communications?$sort[id]=1&${query}`);
  const statesOf = async (contact: Made, query?: string) =>
    (await communicationsOf(contact, query)).map(({ dispatch_state }) => dispatch_state);
  const tasksOf = (enrolled: Made, query = '') =>
    records(`/tasks?campaign_contact_id=${enrolled.id}&$sort[due_at]=1&$limit=500&${query}`);
  const scheduledTasksAbout = ({ id }: Made) =>
    records(`/api/v1/scheduled/tasks?contact_id=${id}&$sort[due_at]=1&$limit=500`);
  const mails = async () => (await mail.mails()).filter(({ to }) => to.includes(email));
  const texts = () => carrier.texts().flatMap(({ to, words }) => (to === number ? [words] : []));

  async function searchedAndAdded() {
    const searches = [`/contacts?email=${email}`, '/contacts?mobile_phone=%2B1%20604-555-0147'];
    for (const search of searches) expect(await records(search)).toEqual([]);
    const [source] = await records('/contact-sources?name=Zillow');
    const name = { first_name: 'Carla', last_name: 'Berg', company: 'Berg & Sons' };
    const reach = { email, mobile_phone: '+1 604-555-0147' };
    const contact = await add('/contacts', { ...name, ...reach, source_id: source?.id });
    for (const search of searches) expect(await records(search)).toMatchObject([{ id: contact.id }]);
    return contact;
  }

  /** The team of Anna, in which Ben sees her contacts and is offered leads. */
  async function teamWithBen() {
    const team = await add('/teams', { name: 'North', is_contact_resource_sharing_enabled: true });
    await join(system, team.id, ben);
    const option = { team_id: team.id, user_id: ben.id, assign_automatically: false, has_text_alert: true };
    await add('/team-member-distribution-options', option);
    return team;
  }

  /** Submits a lead of the contact that goes to Ben, and returns the campaign of its route. */
  async function claimedWithCampaign({ id: contact_id, source_id: contact_source_id }: Made) {
    const team = await teamWithBen();
    const campaign = await addCampaign(add, ben.id);
    const [source] = await records('/lead-sources?name=Zillow');
    await add('/lead-routes', {
      campaign_id: campaign.id,
      lead_source_id: source?.id,
      contact_source_id,
      distribution_target: 'Team Rollout',
      team_selection_method: 'Specific Team',
      team_id: team.id,
    });
    const lead = await add('/leads', { contact_id, source_id: source?.id });
    expect(await anna.api.post(`/leads/${lead.id}/offers`, {})).toMatchObject({ status: 201 });
    expect(await records(`/leads/${lead.id}/offers`)).toMatchObject([{ user: { id: ben.id } }]);
    expect(await ben.api.post(`/leads/${lead.id}/claim`, {})).toMatchObject({
      status: 200,
      body: { status: 'Claimed', assigned_to_user: { id: ben.id } },
    });
    const { lead_route_id } = (await anna.api.get(`/leads/${lead.id}/routing`)).body;
    const route = (await anna.api.get(`/lead-routes/${lead_route_id}`)).body;
    expect(route.campaign).toEqual({ id: campaign.id, name: campaign.name });
    return campaign;
  }

  async function previewed(contact: Made, campaign: Made, start: Json = {}) {
    const draft = { contact_id: contact.id, ...start };
    const { status, body } = await anna.api.post(`/campaigns/${campaign.id}/preview`, draft);
    expect({ status, body }).toMatchObject({ status: 200, body: { skipped: [] } });
    return body as unknown as Previewed;
  }

  async function doneAsPreviewed(contact: Made, campaign: Made) {
    const before = await previewed(contact, campaign);
    expect([await communicationsOf(contact), await scheduledTasksAbout(contact)]).toEqual([[], []]);
    const enrolled = await add(`/campaigns/${campaign.id}/contacts`, { contact_id: contact.id });
    const same = await previewed(contact, campaign, { start_at: enrolled.created_at });
    expect(saidIn(same)).toEqual(saidIn(before));

    expect(same.communications).toHaveLength(6);
    const communications = await communicationsOf(contact);
    expect(communications).toMatchObject(same.communications.map(listed));
    expect(communications[0]).toMatchObject({ campaign_name: 'Welcome', template_folder_name: 'New leads' });

    expect(same.tasks).toHaveLength(2);
    for (const { action_id: _, due_at, recurrence_rule, ...task } of same.tasks) {
      const [first, ...others] = await tasksOf(
        enrolled,
        `action_type=${encodeURI(String(task.action_type))}`,
      );
      expect(first).toMatchObject({ ...task, due_at: String(due_at).replace('T', ' ') });
      expect(others.length > 0).toBe(recurrence_rule !== null);
    }
    const scheduled = await scheduledTasksAbout(contact);
    expect(scheduled.map(({ id }) => id)).toEqual((await tasksOf(enrolled)).map(({ id }) => id));
    expect(scheduled).toMatchObject(scheduled.map(() => ({ event: { action: 'campaign_actions' } })));
    expect((await ben.api.list(`/tasks?campaign_contact_id=${enrolled.id}`)).data).toMatchObject([
      { action_type: 'Agent Task - Call Reminder', owner_user_id: anna.id, assigned_user_id: ben.id },
    ]);
    return enrolled;
  }

  async function arrived(contact: Made) {
    const states = ['Sent', 'Sent', 'Scheduled', 'Scheduled', 'Scheduled', 'Scheduled'];
    await expect.poll(() => statesOf(contact)).toEqual(states);
    expect(await mails()).toMatchObject([{ subject: 'Welcome, Carla' }]);
    expect((await mails())[0]?.text).toMatch(
      /^Dear Carla Berg of Berg & Sons,\s+Ada Byron\s+Unsubscribe: \S+\s*$/,
    );
    expect((await mails())[0]?.html).toContain('<p>Dear Carla Berg of Berg &amp; Sons,</p><p>Ada Byron</p>');
    expect(texts()).toEqual(['Hello Carla, Ada here. May I call you?']);
    const sent = { is_active: false, completed_at: expect.any(String), completing_user_id: null };
    expect(await communicationsOf(contact, 'is_active=false')).toMatchObject([sent, sent]);
  }

  async function stoppedByReply(contact: Made) {
    expect(await carrier.reply(number, 'Yes, at five')).toMatchObject({ status: 200 });
    const stoppable = () => statesOf(contact, 'is_stopped_on_text_reply=true');
    await expect.poll(stoppable).toEqual(['Sent', 'Dropped']);
    expect(await communicationsOf(contact, 'is_active=true')).toMatchObject([
      { type: 'Text Contact', is_stopped_on_text_reply: false },
      { type: 'Call Contact' },
      { type: 'Email Contact' },
    ]);
  }

  async function markedByAgent(contact: Made) {
    const [call] = await communicationsOf(contact, 'type=Call%20Contact');
    const path = `/contacts/${contact.id}/campaign-communications/${call?.id}`;
    const mark = async (is_active: boolean) => {
      expect(await ben.api.patch(path, { is_active })).toMatchObject({ status: 200, body: { is_active } });
      return (await anna.api.get(`${path}?$load=completing_user`)).body;
    };
    const byBen = { completing_user_id: ben.id, completing_user: { id: ben.id } };
    expect(await mark(false)).toMatchObject({ dispatch_state: 'Dropped', ...byBen });
    const byNobody = { completed_at: null, completing_user_id: null, completing_user: null };
    expect(await mark(true)).toMatchObject({ dispatch_state: 'Scheduled', ...byNobody });
  }

  /** Nothing remains to be sent or done, and what was sent or done stays. */
  async function takenOut(contact: Made, campaign: Made, enrolled: Made) {
    const [{ id } = {}] = await tasksOf(enrolled);
    await anna.api.patch(`/tasks/${id}`, { status: 'complete' });
    const contacts = `/campaigns/${campaign.id}/contacts`;
    expect(await anna.api.delete(`${contacts}/${enrolled.id}`)).toMatchObject({ status: 200 });
    expect(await records(contacts)).toEqual([]);
    await expect.poll(() => statesOf(contact)).toEqual(['Sent', 'Sent', 'Dropped']);
    for (const left of [await tasksOf(enrolled), await scheduledTasksAbout(contact)])
      expect(left).toMatchObject([{ id, status: 'complete' }]);
    expect([(await mails()).length, texts().length]).toEqual([1, 1]);
  }

  async function agreesEverywhere() {
    const services = Object.keys(system.services);
    const urls = Object.fromEntries(services.map((name) => [name, system.databaseUrl])) as Urls;
    const broker = connectBroker({ url: system.natsUrl, name: 'verify', log: pino({ level: 'silent' }) });
    await broker.ready(60_000);
    const found = async () => (await verifySystem({ urls, broker, repair: false })).filter(isOfThisTest);
    await expect.poll(found).toEqual([]);
    await broker.close();
  }

  /** The stream keeps the events of tests before, whose rows were removed. */
  const isOfThisTest = ({ what }: { readonly what: string }) =>
    what !== 'events in the stream that are not in the outbox';
});

/** The messages and their recipients, without times. A text that was sent meanwhile would be refused a second time. */
const saidIn = ({ communications, tasks }: Previewed) => [
  communications.map(({ send_at: _, is_refused: __, reason: ___, moved_to: ____, ...said }) => said),
  tasks.map(({ due_at: _, due_at_utc: __, ...said }) => said),
];

/** The fields that a list shows of a previewed communication. */
const listed = ({ type, send_at, send_from_user_id, template_name, template_folder_name }: Json) => ({
  type,
  send_at,
  send_from_user_id,
  template_name,
  template_folder_name,
});
