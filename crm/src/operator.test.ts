import { randomUUID } from 'node:crypto';
import { isInShape } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../test/database-of.ts';
import { metricsOf } from '../test/metrics.ts';
import { panelsAbout, prometheusOf } from '../test/prometheus.ts';
import { first, get } from '../test/requests.ts';
import { crm, crmJson, run } from '../test/run-crm.ts';
import { newTestSystem, type StartedSystem } from '../test/test-system.ts';
import { until } from '../test/until.ts';

/** Commands and examples use both shapes in the same way, so each run tests only one. */
const words = isInShape(0, 0) ? [] : ['--processes'];

describe(`a running system ${words.join('') || 'in one process'}`, () => {
  let setup: Awaited<ReturnType<typeof newTestSystem>>;
  let system: StartedSystem;

  beforeAll(async () => {
    setup = await newTestSystem();
    system = await setup.start(...words);
  });
  afterAll(() => setup.close());

  it('runs the quickstart', async () => {
    const env = { CRM_URL: system.gateway, CRM_DATA_DIR: setup.folder };
    const { code, stdout, stderr } = await run(['sh', 'examples/quickstart.sh'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('400 BadRequest');
    expect(stdout).toContain('It was removed.');
  });

  it('runs the example of a lead', async () => {
    const env = { CRM_DATA_DIR: setup.folder };
    const { code, stdout, stderr } = await run(['sh', 'examples/lead.sh'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Lead 1 goes to: Team Rollout. Its status is Pending.');
    expect(stdout).toMatch(/Margaret has it, after 00:00:\d\d. Its status is Claimed./);
    expect(stdout).toContain('1 offer is left');
  });

  it('runs the example of a follow-up, whose messages are on the page that it prints', async () => {
    const { code, stdout, stderr } = await run(['sh', 'examples/follow-up.sh'], {
      CRM_DATA_DIR: setup.folder,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Text Contact {2}Are you still looking for a house, Katherine\?/);
    expect(stdout).toContain('is_active false: Dropped. It was marked as done before it was sent.');
    expect(stdout).toContain('is_active true: Scheduled.');
    expect(stdout).toContain('2 were sent, 0 are left to send, 0 are left to do.');
    const [page] = /http:\S+(?=, as katherine)/.exec(stdout) ?? expect.fail(stdout);
    const shown = await (await fetch(page)).text();
    expect(shown).toContain('<h2>Welcome, Katherine</h2>\n<pre>Dear Katherine Johnson,\n\nthank you');
    expect(shown).toContain('<pre>Hello Katherine, this is Margaret. May I call you?</pre>');
  });

  it('shows its operator which request led to a message, who made it, and what else it led to', async () => {
    const why = (...given: string[]) => crmJson(['why', ...given], setup.env);
    const rows = databaseOf(setup.folder);
    const sent = "select id from communications where dispatch_state = 'Sent' order by id limit 1";
    const [{ id } = {}] = await rows('scheduling', sent);
    const { output } = await why('communication', String(id));
    expect(output.about).toMatchObject([{ type: 'communication', state: 'Sent', service: 'scheduling' }]);
    const [{ request_id, effects }] = output.requests;
    expect(request_id).toBe(output.about[0].request_id);
    const message = `communication/${id}`;
    expect(effects).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          what: 'campaignContacts.create',
          who: expect.stringMatching(/^user \d+$/),
        }),
        expect.objectContaining({
          what: 'scheduling.communication.dispatched',
          record: message,
          who: expect.stringMatching(/^system/),
        }),
        expect.objectContaining({ what: 'Sent', record: message }),
      ]),
    );
    expect((await why('request', request_id)).output.requests).toEqual(output.requests);
    const published = "select event_id from outbox where payload ->> 'requestid' = $1 limit 1";
    const [{ event_id } = {}] = await rows('campaigns-templates', published, [request_id]);
    expect((await why('published-event', String(event_id))).output.requests).toEqual(output.requests);
    const { output: ofLead } = await why('lead', '1');
    const whats = ofLead.requests
      .flatMap((one: (typeof output.requests)[0]) => one.effects)
      .map((one: { what: string }) => one.what);
    expect(whats).toEqual(expect.arrayContaining(['leads.create', 'leads.claim', 'shares.give']));
    expect((await crm(['why', 'lead', '424242'], setup.env)).stdout).toContain(
      'Nothing is known about lead 424242',
    );
  });

  it('counts the outcomes of messages in its metrics', async () => {
    const metrics = await metricsOf(setup.env, words);
    expect(metrics).toMatch(
      /^crm_dispatch_outcomes_total\{crm_queue="communication",crm_lane="[A-Z]\w+ Contact",crm_state="Sent"\} [1-9]/m,
    );
  });

  it('has values for every panel of its dashboards', async () => {
    const prometheus = await prometheusOf(setup.env, words);
    try {
      // A rate needs two readings.
      for (const { panel, expr } of panelsAbout('scheduling'))
        await until(async () => expect(await prometheus.query(expr), panel).not.toEqual([]));
    } finally {
      await prometheus.stop();
    }
  });

  it('serves an internal caller in TypeScript', async () => {
    const { code, stdout, stderr } = await run([process.execPath, 'examples/internal-client.ts'], setup.env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Created contact (\d+); asked again, it is still \1\./);
  });

  it('is paused and resumed by its operator, as doctor reports', async () => {
    const { email } = first(system);
    expect(await crm(['dispatch', 'pause'], setup.env)).toMatchObject({ code: 0, stderr: '' });
    expect(await crm(['dispatch', 'pause', '--user', email], setup.env)).toMatchObject({ code: 0 });
    const { stdout } = await crm(['doctor'], setup.env);
    expect(stdout).toContain('Sending has been paused for everybody and 1 user since');
    const one = await crm(['dispatch', 'resume', '--user', email], setup.env);
    expect([one.code, one.stdout]).toEqual([
      0,
      expect.stringContaining('those of everybody have been paused'),
    ]);
    for (const whom of [[], ['--user', email]])
      expect(await crm(['dispatch', 'resume', ...whom], setup.env)).toMatchObject({ code: 0, stderr: '' });
    expect((await crm(['doctor'], setup.env)).stdout).not.toContain('paused');
    const unknown = await crm(['dispatch', 'pause', '--user', 'nobody@example.com'], setup.env);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody@example.com') });
  });

  it('lets its operator redrive a dead letter or give it up', async () => {
    const rows = databaseOf(setup.folder);
    const letters = (...given: string[]) => crmJson(['dead-letters', ...given], setup.env);
    const subject = 'crm.contacts.contact.removed';
    const data = { contact_id: 424242, owner_user_id: 1, assigned_user_id: null };
    const event = {
      ...{ specversion: '1.0', source: 'crm/contacts', subject: 'contact/424242', type: subject },
      ...{ id: randomUUID(), time: '2026-03-01T09:00:00Z', datacontenttype: 'application/json' },
      ...{ aggregateversion: 2, actor: 'user/1', requestid: 'r', data },
    };
    for (const [id, body, sent] of [
      [event.id, JSON.stringify(event), '2 minutes'],
      [null, 'poison\0', '1 minute'],
      [null, 'gone', '3 minutes'],
    ])
      await rows(
        'scheduling',
        `insert into dead_letters (event_id, subject, headers, data, reason, failures, stream, seq, sent_at, died_at)
         values ($1, $2, '{"Trace": ["one"]}', $3, 'Broken.', 6, 'CRM_CONTACTS', 1, now() - $4::interval, now())`,
        [id, subject, Buffer.from(body ?? ''), sent],
      );
    expect((await crm(['doctor'], setup.env)).stdout).toMatch(/scheduling dead letters .*handled: 3/);
    const { output: listed } = await letters('list', '--service', 'scheduling');
    const [good, poison] = listed.data.map(({ letter }: { letter: string }) => letter);
    expect(listed.data).toMatchObject([
      { letter: expect.stringMatching(/^scheduling\/\d+$/), subject },
      {},
      {},
    ]);
    const { output: shown } = await letters('show', good);
    expect(shown).toMatchObject({ event_id: event.id, headers: { Trace: ['one'] }, data: event });
    // Somebody else handles the last one while the first one is handled.
    await rows(
      'scheduling',
      `create function handle_last() returns trigger language plpgsql as $$ begin delete from dead_letters where data = 'gone'; return null; end $$;
       create trigger handles_last after delete on dead_letters for each row execute function handle_last();`,
    );
    const { code, output } = await letters('redrive', '--all');
    expect(code).toBe(1);
    expect(output.data).toMatchObject([
      { letter: good, is_handled: true, reason: null },
      { letter: poison, is_handled: false, reason: expect.stringContaining('not JSON') },
    ]);
    const ended = "select id from enrolment_ends where what = 'contact' and id = 424242";
    expect(await rows('scheduling', ended)).toHaveLength(1);
    expect(await letters('discard', poison)).toMatchObject({ code: 0, output: { discarded: [poison] } });
    expect((await letters('list')).output).toEqual({ data: [] });
  });

  it('lets its operator create a user, and create and revoke a token', async () => {
    const words = ['users', 'create', '--email', 'New@example.com', '--first-name', 'New', '--json'];
    const created = await crm(words, setup.env, 'long enough\n');
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(created.stdout)).toMatchObject({ email: 'new@example.com', first_name: 'New' });
    const again = await crm(words, setup.env, 'long enough\n');
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(again.stderr)).toMatchObject({ error: 'Conflict', errors: { '--email': 'is taken' } });
    const token = await crm(['tokens', 'create', '--user', 'new@example.com', '--json'], setup.env);
    const { access_token } = JSON.parse(token.stdout);
    expect(await get(system, access_token, '/me')).toMatchObject({ email: 'new@example.com' });
    expect(await crm(['tokens', 'revoke', access_token], setup.env)).toMatchObject({ code: 0 });
    await until(async () => expect(await get(system, access_token, '/me')).toMatchObject({ code: 401 }));
  });

  it('lets its operator invite a user', async () => {
    const words = ['users', 'create', '--email', 'invited@example.com', '--invite'];
    const { code, stdout } = await crm(words, setup.env);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('invitation is on its way'),
    });
    const both = await crm([...words, '--password', 'long enough'], setup.env);
    expect(both).toMatchObject({ code: 1, stderr: expect.stringContaining('--invite') });
  });

  it("lets its operator set a user's phone", async () => {
    const users = (...given: string[]) => crmJson(['users', ...given], setup.env);
    const account = ['--email', 'phone@example.com', '--password', 'long enough'];
    const created = await users('create', ...account, '--phone', '(415) 555-2671');
    expect(created).toMatchObject({ code: 0, output: { phone: '+14155552671' } });
    const changed = await users('phone', 'phone@example.com', '503-555-0191');
    expect(changed).toMatchObject({ code: 0, output: { phone: '+15035550191' } });
    expect(await users('phone', 'phone@example.com', '12')).toMatchObject({
      code: 1,
      output: {
        error: 'BadRequest',
        errors: { '--phone': expect.stringMatching(/^must be a phone number/) },
      },
    });
    expect(await users('phone', 'phone@example.com', 'none')).toMatchObject({ output: { phone: null } });
  });

  it('lets its operator register an application, rotate its secret and remove it', async () => {
    const apps = (...given: string[]) => crmJson(['apps', ...given], setup.env);
    await crm(['users', 'create', '--email', 'owner@example.com', '--password', 'long enough'], setup.env);
    const draft = ['create', '--name', 'Mailer', '--owner', 'owner@example.com', '--redirect-uri'];
    const refused = await apps(...draft, 'http://m.example/cb');
    expect(refused).toMatchObject({ code: 1, output: { error: 'BadRequest' } });
    expect(JSON.stringify(refused.output.errors)).toContain('--redirect-uri');
    const { output: created } = await apps(...draft, 'https://m.example/cb', 'https://m.example/other');
    const isAccepted = async (client_secret: string) => {
      const body = JSON.stringify({ token: 'x', client_id: created.client_id, client_secret });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${system.gateway}/oauth2/revoke`, { method: 'POST', headers, body })).ok;
    };
    expect(await isAccepted(created.client_secret)).toBe(true);
    const { output: rotated } = await apps('rotate-secret', String(created.id), '--at-once');
    expect(await isAccepted(created.client_secret)).toBe(false);
    expect(await isAccepted(rotated.client_secret)).toBe(true);
    const listed = await crm(['apps', 'list'], setup.env);
    expect(listed.stdout).toContain(created.client_id);
    expect(listed.stdout).not.toContain('crm_cs_');
    expect(await apps('remove', String(created.id))).toMatchObject({ code: 0, output: { name: 'Mailer' } });
    expect(await isAccepted(rotated.client_secret)).toBe(false);
  });

  it('lets its operator disable and enable an account, and change its password and broker status', async () => {
    const email = 'ends@example.com';
    const words = ['users', 'create', '--email', email, '--password', 'long enough', '--json'];
    const { id } = JSON.parse((await crm(words, setup.env)).stdout);
    const newToken = async () =>
      JSON.parse((await crm(['tokens', 'create', '--user', email, '--json'], setup.env)).stdout).access_token;
    const users = async (...given: string[]) =>
      JSON.parse((await crm(['users', ...given, '--json'], setup.env, 'another password\n')).stdout);

    const first = await newToken();
    expect(await users('disable', email)).toMatchObject({ id, is_active: false });
    expect(await get(system, first, '/me')).toMatchObject({ code: 401 });
    const refused = await crm(['tokens', 'create', '--user', email, '--json'], setup.env);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('"Conflict"') });
    expect((await crm(['users', 'list'], setup.env)).stdout).toMatch(/ends@example\.com .*disabled/);

    expect(await users('enable', String(id))).toMatchObject({ id, is_active: true });
    const second = await newToken();
    expect(await get(system, second, '/me')).toMatchObject({ id });
    expect(await users('password', email)).toMatchObject({ id });
    expect(await get(system, second, '/me')).toMatchObject({ code: 401 });
    const short = await crm(['users', 'password', email, '--password', 'short'], setup.env);
    expect(short).toMatchObject({ code: 1, stderr: '--password must have at least 8 characters\n' });

    expect(await users('broker', email, 'on')).toMatchObject({ id, is_broker: true });
    const third = await newToken();
    expect(await get(system, third, '/sub-accounts')).toMatchObject({ total: 0 });
    const made = ['create', '--email', 'made@example.com', '--sub-account-of', email];
    const { id: user } = await users(...made, '--password', 'long enough');
    const agreed = ['sub-accounts', 'consent', '--broker', email, '--user', String(user)];
    expect((await crm(agreed, setup.env)).stdout).toBe(
      `Broker ${id} can add user ${user} as a sub-account.\n`,
    );
    expect(await users('broker', email, 'off')).toMatchObject({ id, is_broker: false });
    expect(await get(system, third, '/sub-accounts')).toMatchObject({ code: 403 });
    expect(await crm(['users', 'disable', 'nobody@example.com'], setup.env)).toMatchObject({ code: 1 });
  });

  it('reports invalid fields by their options', async () => {
    const { code, stderr } = await crm(
      ['users', 'create', '--email', 'x', '--timezone', 'Nowhere', '--password', 'short'],
      setup.env,
    );
    expect(code).toBe(1);
    for (const option of ['--email must', '--timezone must', '--password must'])
      expect(stderr).toContain(option);
  });
});
