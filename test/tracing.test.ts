import { signatureOf } from '@crm/delivery';
import { startTracing } from '@crm/telemetry/start-tracing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { agencyIn } from './system/agency.ts';
import { made } from './system/made.ts';
import { until } from './system/until.ts';
import { type Person, startSystem } from './system.ts';
import { type Span, startReceiver } from './tracing/receiver.ts';
import { pathsIn, printed, treesOf } from './tracing/tree.ts';

/** A trace that somebody outside has begun. */
const foreignTrace = 'a'.repeat(32);

// In one process, whose traces can be recorded while the system runs.
describe('a trace', async () => {
  const system = await startSystem('together');
  afterAll(system.stop);
  const { carrier } = system.carriers;

  /** Spans of everything that happens until the returned function is called, if its trace is sampled. */
  async function recorded(sample = () => true) {
    const receiver = await startReceiver();
    onTestFinished(receiver.stop);
    const stop = startTracing({ service: 'crm', url: receiver.url, sample });
    let stopped: Promise<void> | undefined;
    const end = () => (stopped ??= stop());
    onTestFinished(end);
    return async (): Promise<readonly Span[]> => {
      await end();
      return receiver.spans;
    };
  }

  /** Leads of an agency are offered to a member by text as soon as they are submitted. */
  async function textedMember(anna: Person, ben: Person) {
    const phone = '+16045551777';
    await system.operator.users.change({ user: ben.id, phone });
    const [option] = (await anna.api.list('/team-member-distribution-options')).data;
    const alerts = { has_text_alert: true, has_email_alert: false };
    await anna.api.patch(`/team-member-distribution-options/${option?.id}`, alerts);
    const [route] = (await anna.api.list('/lead-routes')).data;
    await anna.api.patch(`/lead-routes/${route?.id}`, { makes_offers: true });
    await system.settled();
    return phone;
  }

  /** A campaign that texts at once. */
  async function textingCampaign(anna: Person) {
    const folder = await made(anna, '/template-folders', { name: 'Drip' });
    const words = { template_type: 'Text', description: 'Hello', body: 'Hello {{contact.first_name}}' };
    const template = await made(anna, '/templates', { template_folder_id: folder.id, ...words });
    const campaign = await made(anna, '/campaigns', { name: 'New leads' });
    const timing = { timing_type: 'Delay by Minutes', delay_by_seconds: 0 };
    const action = { type: 'Text Contact', template_id: template.id, ...timing };
    await made(anna, `/campaigns/${campaign.id}/actions`, action);
    return campaign.id;
  }

  /** The carrier says that a text has arrived. */
  async function reported(key: string) {
    const path = `/callbacks/alert-statuses/${key}`;
    const { publicUrl, carrier: account } = system.carriers.delivery;
    const form = new URLSearchParams({ MessageSid: 'SM1', MessageStatus: 'delivered' });
    const { status } = await fetch(`${system.url}${path}`, {
      method: 'POST',
      body: form,
      headers: {
        traceparent: `00-${foreignTrace}-${'b'.repeat(16)}-01`,
        'x-twilio-signature': signatureOf(`${publicUrl}${path}`, form, account.authToken),
      },
    });
    expect(status).toBe(204);
  }

  /** The trace that begins with a request, with a root and everything that follows. */
  function traceOf(spans: readonly Span[], request: string) {
    const root = spans.find(({ name }) => name === request);
    const trees = treesOf(spans.filter(({ traceId }) => traceId === root?.traceId));
    return { id: root?.traceId, trees, tree: printed(trees) };
  }

  it('leads from POST /leads over services and a due row to the text, and to the report about it', async () => {
    const { anna, ben, contact_id, source_id } = await agencyIn(system)();
    const phone = await textedMember(anna, ben);
    const ended = await recorded();
    await made(anna, '/leads', { contact_id, source_id });
    await until(() => carrier.texts().find(({ to }) => to === phone));
    const key = await until(async () => {
      const done = "select key from lead_alerts where kind = 'Text' and state = 'Done'";
      const [row] = await system.rows('leads-routing', done);
      return row && String(row.key);
    });
    await reported(key);
    await system.settled();
    const spans = await ended();

    const { id, trees, tree } = traceOf(spans, 'POST /leads');
    expect(trees, tree).toHaveLength(1);
    const submission = 'POST /leads > leads-routing leads.create';
    for (const path of [
      'POST /leads > identity actors.resolve > SQL select rights',
      `${submission} > contacts contacts.find > SQL select contacts`,
      `${submission} > SQL commit`,
      `${submission} > publish crm.leads-routing.lead.created`,
      `${submission} > ask about alert > identity users.byIds`,
      `${submission} > send alert > text to the provider`,
      `${submission} > report on lead_alerts`,
    ])
      expect(pathsIn(trees), tree).toContain(path);
    const report = spans.find(({ name }) => name === 'report on lead_alerts');
    const request = spans.find(({ name }) => name.startsWith('POST /callbacks/alert-statuses'));
    expect(report?.links).toEqual([expect.objectContaining({ traceId: request?.traceId })]);
    expect([id, foreignTrace]).not.toContain(request?.traceId);
    expect(request?.links).toEqual([expect.objectContaining({ traceId: foreignTrace })]);
  });

  it('is recorded whole or not at all, and nothing that a request leads to carries one that is not', async () => {
    const { anna, ben, contact_id, source_id } = await agencyIn(system)();
    await textedMember(anna, ben);
    const samples = [true, false];
    // More than two samples would be of something that belongs to one of the two requests.
    const ended = await recorded(() => samples.shift() ?? true);
    const [sampled, leftOut] = [
      await made(anna, '/leads', { contact_id, source_id }),
      await made(anna, '/leads', { contact_id, source_id }),
    ];
    const alertsOf = ({ id }: { readonly id: number }) =>
      system.rows(
        'leads-routing',
        `select a.state, a.cause ? 'traceparent' as is_carried
         from lead_alerts a join lead_offers o on o.id = a.offer_id where o.lead_id = ${id}`,
      );
    const eventsOf = ({ id }: { readonly id: number }) =>
      system.rows(
        'leads-routing',
        `select distinct payload ? 'traceparent' as is_carried from outbox where payload ->> 'subject' = 'lead/${id}'`,
      );
    for (const lead of [sampled, leftOut])
      await until(async () => (await alertsOf(lead)).some(({ state }) => state === 'Done'));
    await system.settled();
    const trees = treesOf(await ended());
    expect(
      trees.map(({ span }) => span.name),
      printed(trees),
    ).toEqual(['POST /leads']);
    expect(pathsIn(trees)).toContain('POST /leads > leads-routing leads.create > send alert');
    expect([await eventsOf(sampled), await eventsOf(leftOut)]).toEqual([
      [{ is_carried: true }],
      [{ is_carried: false }],
    ]);
    expect([await alertsOf(sampled), await alertsOf(leftOut)]).toMatchObject([
      [{ is_carried: true }],
      [{ is_carried: false }],
    ]);
  });

  it('is a new one when a task reminds of itself days later, with a link to the request that made it', async () => {
    const ben = await system.person();
    const ended = await recorded();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const draft = { action_type: 'Email Contact', description: 'Call Bill', status: 'incomplete' };
    const { id } = await made(ben, '/tasks', { ...draft, assigned_user_id: ben.id, due_at: tomorrow });
    await system.rows(
      'scheduling',
      `update tasks set due_at = now(), cause = cause || '{"at": "2026-01-01T00:00:00.000Z"}' where id = ${id}`,
    );
    await until(async () => {
      const sent = `select from task_alerts where task_id = ${id} and state = 'Done'`;
      return (await system.rows('scheduling', sent))[0];
    });
    await system.settled();
    const spans = await ended();
    const request = traceOf(spans, 'POST /tasks');
    const reminder = traceOf(spans, 'send task-alert');
    expect(reminder.id).not.toBe(request.id);
    expect(reminder.trees.flatMap(({ span }) => span.links)).toEqual(
      expect.arrayContaining([expect.objectContaining({ traceId: request.id })]),
    );
    expect(pathsIn(reminder.trees), reminder.tree).toContain('send task-alert > email to the provider');
  });

  it('leads from a text that comes in to everything that follows from it', async () => {
    const anna = await system.person();
    const phone = '+16045551779';
    await made(anna, '/contacts', { first_name: 'Carla', mobile_phone: phone });
    await system.settled();
    const ended = await recorded();
    await carrier.reply(phone, 'At five?');
    await until(async () => {
      const told = `select from text_notices n join inbound_texts t on t.id = n.text_id
        where t.from_number = '${phone}' and n.state = 'Done'`;
      return (await system.rows('scheduling', told))[0];
    });
    await system.settled();
    const { trees, tree } = traceOf(await ended(), 'POST /callbacks/texts');
    const callback = 'POST /callbacks/texts > scheduling inboundTexts.receive';
    for (const path of [
      `${callback} > decide text > scheduling inboundTexts.decide`,
      `${callback} > settle text > contacts events.recordText`,
      `${callback} > settle text > send text-notice > email to the provider`,
    ])
      expect(pathsIn(trees), tree).toContain(path);
  });

  it('leads from POST /leads to the automatic assignment, and the contact that goes with it', async () => {
    const { anna, ben, contact_id, source_id } = await agencyIn(system)();
    const [option] = (await anna.api.list('/team-member-distribution-options')).data;
    const assigning = { assign_automatically: true, has_email_alert: false };
    await anna.api.patch(`/team-member-distribution-options/${option?.id}`, assigning);
    const [route] = (await anna.api.list('/lead-routes')).data;
    await anna.api.patch(`/lead-routes/${route?.id}`, { makes_offers: true });
    await system.settled();
    const ended = await recorded();
    const { id } = await made(anna, '/leads', { contact_id, source_id });
    const given = `select from leads where id = ${id} and claimed_by_user_id = ${ben.id} and contact_given_at is not null`;
    await until(async () => (await system.rows('leads-routing', given))[0]);
    await system.settled();
    const { trees, tree } = traceOf(await ended(), 'POST /leads');
    const assignment = 'POST /leads > leads-routing leads.create > send alert';
    for (const path of [
      `${assignment} > publish crm.leads-routing.lead.claimed`,
      `${assignment} > contacts shares.give`,
    ])
      expect(pathsIn(trees), tree).toContain(path);
    // By which `crm why` finds it.
    const led = `select distinct request_id from audit_events where record_type = 'lead' and record_id = ${id}`;
    expect(await system.rows('leads-routing', led)).toHaveLength(1);
  });

  it('goes on with what a service does when it gets an event', async () => {
    const anna = await system.person();
    const campaign = await textingCampaign(anna);
    const draft = { first_name: 'Carla', mobile_phone: '+16045551778' };
    const { id: contact_id } = await made(anna, '/contacts', draft);
    await system.settled();
    const ended = await recorded();
    await made(anna, `/campaigns/${campaign}/contacts`, { contact_id });
    await until(async () => {
      const sent = "select from outbox where subject = 'crm.scheduling.communication.dispatched'";
      return (await system.rows('scheduling', sent))[0];
    });
    await system.settled();
    const { trees, tree } = traceOf(await ended(), 'POST /campaigns/:campaign_id/contacts');
    const dispatched = 'crm.scheduling.communication.dispatched';
    const sending =
      'POST /campaigns/:campaign_id/contacts > campaigns-templates campaignContacts.create > ' +
      'scheduling enrolments.enrol > send communication';
    for (const path of [
      `${sending} > text to the provider`,
      `${sending} > publish ${dispatched}`,
      `${sending} > handle ${dispatched} > SQL update contacts`,
    ])
      expect(pathsIn(trees), tree).toContain(path);
  });
});
