import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { clientOf, databaseOf } from '../../test/database-of.ts';
import { campaignIn, first, makerIn } from '../../test/requests.ts';
import { crm } from '../../test/run-crm.ts';
import { newTestSystem, type StartedSystem } from '../../test/test-system.ts';
import type { Discrepancy } from './discrepancy.ts';

async function request(system: StartedSystem, method: string, path: string, body?: object): Promise<number> {
  const response = await fetch(system.gateway + path, {
    method,
    headers: { authorization: `Bearer ${first(system).token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok, `${method} ${path}`).toBe(true);
  return ((await response.json()) as { readonly id: number }).id;
}

const call = { action_type: 'None', description: 'Call', status: 'incomplete' };
const patience = { timeout: 20_000, interval: 500 };

describe('crm verify', async () => {
  const test = await newTestSystem();
  afterAll(test.close);
  const system = await test.start('--demo');
  const rows = databaseOf(test.folder);

  async function verify(...words: string[]) {
    const { code, stdout, stderr } = await crm(['verify', '--json', ...words], test.env);
    expect(stderr).toBe('');
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly Discrepancy[] };
    expect(code).toBe(findings.length > 0 ? 1 : 0);
    const named = findings.map(({ what, count, repaired }) => [what, `${count} found, ${repaired} repaired`]);
    return Object.fromEntries(named) as Record<string, string>;
  }

  /** Blocks event handling in a service until it is released. Its inbox can be read. */
  async function holdUp(service: string): Promise<() => Promise<unknown>> {
    const client = await clientOf(test.folder, service);
    onTestFinished(() => client.end());
    await client.query('begin; lock table inbox in exclusive mode');
    return () => client.query('rollback');
  }

  const notRepaired = '1 found, 0 repaired';
  const repaired = '1 found, 1 repaired';

  it('finds nothing in a healthy system with a lead about nobody, and tells if it cannot compare events', async () => {
    await request(system, 'POST', '/leads', { contact_id: 2_000_000_000 });
    expect(await verify()).toEqual({});
    const alone = await crm(['verify'], { ...test.env, NATS_URL: 'nats://127.0.0.1:1' });
    expect(alone).toMatchObject({ code: 1, stdout: expect.stringContaining('NATS cannot be reached') });
  });

  it('reports events that were lost between outbox, stream and inbox, and delivers them again', async () => {
    const [made] = await rows('contacts', 'select * from outbox order by id limit 1');
    const event_id = randomUUIDv7();
    const payload = { ...(made?.payload as object), id: event_id };
    await rows(
      'contacts',
      `insert into outbox (event_id, subject, payload, published_at) values ($1, $2, $3, now() - interval '5 minutes')`,
      [event_id, made?.subject, payload],
    );
    // The stream removes events after two weeks.
    await rows(
      'contacts',
      `insert into outbox (event_id, subject, payload, published_at) values ($1, 's', $2, now() - interval '14 days')`,
      [randomUUID(), payload],
    );
    const [{ event_id: unhandled } = {}] = await rows(
      'leads-routing',
      'delete from inbox where event_id = (select event_id from inbox order by received_at limit 1) returning event_id',
    );
    const letter = `insert into dead_letters (event_id, subject, headers, data, reason, failures, stream, seq, sent_at)
      select event_id, 's', '{}', '', 'Broken.', 6, 's', 1, now() from out returning event_id`;
    await rows(
      'leads-routing',
      `with out as (delete from inbox where event_id = (select event_id from inbox order by received_at desc limit 1)
       returning event_id) ${letter}`,
    );
    const lost = 'events that were published and are not in the stream';
    const ignored = 'events of contacts that it has not handled';
    expect(await verify()).toEqual({ [lost]: notRepaired, [ignored]: notRepaired });
    expect(await verify('--repair')).toEqual({ [lost]: repaired, [ignored]: repaired });
    await expect.poll(() => verify(), patience).toEqual({});
    expect(await rows('leads-routing', 'select from inbox where event_id = $1', [unhandled])).toHaveLength(1);
  });

  it('reports references to removed records, and lets the service handle the removal again', async () => {
    const contact = await request(system, 'POST', '/contacts', { email: 'gone@example.com' });
    const other = await request(system, 'POST', '/contacts', { email: 'here@example.com' });
    const task = await request(system, 'POST', '/tasks', call);
    const campaign = await request(system, 'POST', '/campaigns', { name: 'Drip' });
    await request(system, 'DELETE', `/contacts/${contact}`);
    await request(system, 'DELETE', `/campaigns/${campaign}`);
    await expect
      .poll(() => rows('scheduling', "select from enrolment_ends where what = 'contact'"), patience)
      .toHaveLength(1);
    await rows('scheduling', 'update tasks set contact_id = $1 where id = $2', [contact, task]);
    await rows('campaigns-templates', 'delete from removed_campaigns');
    await rows(
      'campaigns-templates',
      `insert into campaign_contacts (campaign_id, contact_id, user_id, created_at, modified_at, scheduled_at, next_attempt_at)
       values ($1, $2, 1, now(), now(), now(), now())`,
      [campaign, other],
    );
    const named = 'tasks.contact_id of contacts.contacts that do not exist';
    const left = 'contacts in campaigns that do not exist and are not being removed';
    expect(await verify()).toEqual({ [named]: notRepaired, [left]: notRepaired });
    expect(await verify('--repair')).toEqual({ [named]: repaired, [left]: repaired });
    await expect.poll(() => verify(), patience).toEqual({});
    expect(await rows('scheduling', 'select contact_id from tasks where id = $1', [task])).toEqual([
      { contact_id: null },
    ]);
    await expect
      .poll(() => rows('campaigns-templates', 'select from campaign_contacts'), patience)
      .toEqual([]);
  });

  it('allows references to a campaign contact from what outlives it, but none to one that never existed', async () => {
    const task = await request(system, 'POST', '/tasks', call);
    const name = (id: unknown) =>
      rows('scheduling', 'update tasks set campaign_contact_id = $1 where id = $2', [id, task]);
    expect(await rows('campaigns-templates', 'select from campaign_contacts where id = 1')).toEqual([]);
    await name(1);
    expect(await verify()).toEqual({});
    await name(424242);
    const never = 'tasks.campaign_contact_id of campaigns-templates.campaign_contacts that never existed';
    expect(await verify('--repair')).toEqual({ [never]: notRepaired });
    await name(null);
  });

  it('finds nothing wrong with work in progress, and fixes nothing twice meanwhile', async () => {
    const contact = await request(system, 'POST', '/contacts', { email: 'leaves@example.com' });
    await request(system, 'POST', '/tasks', { ...call, contact_id: contact });
    await expect.poll(() => verify(), patience).toEqual({});
    await rows(
      'leads-routing',
      'delete from inbox where event_id = (select event_id from inbox order by received_at limit 1)',
    );
    const releases = [await holdUp('leads-routing'), await holdUp('scheduling')];
    const ignored = 'events of contacts that it has not handled';
    expect(await verify('--repair')).toEqual({ [ignored]: repaired });
    await request(system, 'POST', '/contact-sources', { name: 'Fair' });
    await request(system, 'DELETE', `/contacts/${contact}`);
    const unpublished = 'select from outbox where published_at is null';
    await expect.poll(() => rows('contacts', unpublished), patience).toEqual([]);
    expect(await verify('--repair')).toEqual({});
    for (const release of releases) await release();
    await expect
      .poll(() => rows('leads-routing', "select from known_contact_sources where name = 'Fair'"), patience)
      .toHaveLength(1);
    await expect.poll(() => verify(), patience).toEqual({});
  });

  it('reports columns that do not follow from others, and computes them again', async () => {
    const [{ id } = {}] = await rows(
      'contacts',
      `update contacts set shared_user_ids = '{77}', mobile_phone = '+1 604-555-4572', mobile_phone_e164 = '+16045550000'
       where id = (select min(id) from contacts) returning id`,
    );
    await rows('leads-routing', 'delete from lead_sources where id = (select min(id) from lead_sources)');
    await rows(
      'contacts',
      'insert into contact_totals (owner_user_id, contacts, is_base) select min(owner_user_id), 1000, true from contacts',
    );
    const totals = 'totals that are not the number of contacts of their owner';
    const shared = 'contacts whose shared_user_ids are not the users of their shares';
    const numbers =
      'contacts whose mobile_phone_e164, home_phone_e164, office_phone_e164 do not follow from the row';
    const source = 'contact sources without a lead source of the same name';
    expect(await verify('--repair')).toEqual({
      [totals]: repaired,
      [shared]: repaired,
      [numbers]: repaired,
      [source]: repaired,
    });
    expect(await verify()).toEqual({});
    const text = 'select shared_user_ids, mobile_phone_e164 from contacts where id = $1';
    expect(await rows('contacts', text, [id])).toEqual([
      { shared_user_ids: [], mobile_phone_e164: '+16045554572' },
    ]);
  });

  it('reports what cannot be fixed without loss, and leaves it unchanged', async () => {
    const [{ id } = {}] = await rows(
      'contacts',
      'update contacts set assigned_user_id = 999999 where id = (select max(id) from contacts) returning id',
    );
    await rows(
      'contacts',
      `insert into idempotency_keys (actor, operation, key, request_hash, created_at)
       values ('user/1', 'contacts.create', 'lost', '', now() - interval '2 hours'),
         ('user/1', 'contacts.create', 'in progress', '', now() - interval '50 minutes')`,
    );
    const source = 'where id = (select min(id) from known_contact_sources)';
    await rows('leads-routing', `update known_contact_sources set version = version + 1 ${source}`);
    const oldest = 'id = (select min(id) from outbox)';
    const [event] = await rows('contacts', `delete from outbox where ${oldest} returning *`);
    const [property] = await rows(
      'contacts',
      `with event as (insert into events (version, user_id, contact_id, source, type, created_at, modified_at)
         select 1, owner_user_id, id, 'api', 'call', now(), now() from contacts order by id limit 1 returning id, contact_id)
       insert into event_properties (api_event_id, contact_id) select id + 1, contact_id from event returning id`,
    );
    const [tag] = await rows(
      'contacts',
      `with tag as (insert into tags (user_id, content) select max(owner_user_id), 'Other' from contacts returning id, user_id)
       insert into contact_tags (contact_id, position, tag_id, lead)
       select (select min(id) from contacts where owner_user_id < user_id), position, id, ''
       from tag, generate_series(98, 99) position returning tag_id as id`,
    );
    expect(await verify('--repair')).toEqual({
      'contacts with tags of another owner': notRepaired,
      'properties of events that do not exist': notRepaired,
      'contacts.assigned_user_id of identity.users that do not exist': notRepaired,
      'idempotency keys without the response to their request': notRepaired,
      'known_contact_sources that differ from contacts.contact_sources': notRepaired,
      'events in the stream that are not in the outbox': notRepaired,
    });
    await rows('contacts', 'update contacts set assigned_user_id = null where id = $1', [id]);
    await rows('contacts', "delete from idempotency_keys where key in ('lost', 'in progress')");
    await rows('contacts', 'delete from event_properties where id = $1', [property?.id]);
    await rows('contacts', 'delete from contact_tags where tag_id = $1', [tag?.id]);
    await rows('leads-routing', `update known_contact_sources set version = version - 1 ${source}`);
    await rows(
      'contacts',
      `insert into outbox (event_id, subject, payload, created_at, published_at) values ($1, $2, $3, $4, $5)`,
      [event?.event_id, event?.subject, event?.payload, event?.created_at, event?.published_at],
    );
    expect(await verify()).toEqual({});
  });

  it('does not report due messages whose sender has stopped all sending', async () => {
    const make = makerIn(system);
    const campaign = await campaignIn(make, [36_000]);
    const { id: contact_id } = await make('/contacts', { email: 'paused@example.com' });
    await make(`/campaigns/${campaign}/contacts`, { contact_id });
    const due = 'select send_from_user_id as sender from communications where campaign_id = $1';
    await expect.poll(() => rows('scheduling', due, [campaign]), patience).toHaveLength(1);
    await rows(
      'scheduling',
      `insert into sending_pauses (user_id, paused_at) select sender, now() from (${due}) due`,
      [campaign],
    );
    const late = "now() - interval '11 minutes'";
    await rows(
      'scheduling',
      `update communications set send_at = ${late}, next_attempt_at = ${late} where campaign_id = $1`,
      [campaign],
    );
    expect(await verify()).toEqual({});
  });

  it('reports overdue messages while workers are stopped, and releases only leases whose sending has not begun', async () => {
    const task = await request(system, 'POST', '/tasks', call);
    process.kill(system.pid, 'SIGSTOP');
    try {
      const old = "now() - interval '11 minutes'";
      await rows(
        'scheduling',
        `insert into task_alerts (task_id, kind, channel, user_id, due_at, next_attempt_at, state, lease_until, begun_at)
         select $1::int, 'Assignment', 'Email', 1, ${old}, ${old}, 'Sending', ${old}, begun
         from unnest(array[null, ${old}]) as begun`,
        [task],
      );
      await rows(
        'scheduling',
        `insert into enrolment_ends (what, id, ended_at) values ('campaign', 424242, ${old})`,
      );
      await rows('scheduling', 'update tasks set contact_id = 424242 where id = $1', [task]);
      await rows('scheduling', `insert into removed_contacts values (424242, now() - interval '61 minutes')`);
      await rows(
        'scheduling',
        `insert into task_categories (name, created_at, modified_at, removed_at)
         values ('Gone', now(), now(), now() - interval '61 minutes')`,
      );
      await rows(
        'contacts',
        `insert into outbox (event_id, subject, payload, created_at)
         select $1::uuid, subject, payload || jsonb_build_object('id', $1::text), ${old} from outbox order by id limit 1`,
        [randomUUID()],
      );
      const lease = 'task_alerts whose lease has ended and that nobody took over';
      const due = 'task_alerts that are due and wait without a reason';
      const rest = {
        'ended campaigns and campaign contacts whose messages and tasks were not removed': notRepaired,
        'events that have waited to be published for more than a minute': notRepaired,
        'removed contacts that no worker has cleared from tasks for an hour': notRepaired,
        'removed task categories that no worker has deleted for an hour': notRepaired,
      };
      expect(await verify()).toEqual({ [lease]: '2 found, 0 repaired', ...rest });
      expect(await verify('--repair')).toEqual({ [lease]: '2 found, 1 repaired', ...rest });
      expect(await verify()).toEqual({ [due]: notRepaired, [lease]: notRepaired, ...rest });
    } finally {
      process.kill(system.pid, 'SIGCONT');
    }
    await expect.poll(() => verify(), patience).toEqual({});
  });
});
