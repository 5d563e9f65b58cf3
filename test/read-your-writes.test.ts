import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { scale } from './contract/budget.ts';
import { newRecord, resourceCalled } from './contract/records.ts';
import type { Api, ApiOf } from './system/api.ts';
import { ok } from './system/made.ts';
import { type Person, shapesFor, startSystem } from './system.ts';

/** Two of each of the four ways: out of one gateway and into the same or the other. */
const rounds = 8 * scale;
const lanes = 8;
/** How many contacts are put into campaigns. */
const followUps = 16 * scale;

/** A write is visible to its author in the next request, in every service and through every instance. */
describe.each(shapesFor(import.meta))('%s: the next request after', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const gateways: readonly ApiOf[] = [system.as, await system.anotherInstance()];
  const remembering = await system.rememberingGateway();

  interface Pair {
    readonly anna: Person;
    readonly bert: Person;
    /** The token of anna. */
    readonly contact: number;
    readonly hotness: number;
    /** Writes through one gateway, */
    readonly write: (who: { readonly token: string }) => Api;
    /** and reads through the other one or the same. */
    readonly read: (who: { readonly token: string }) => Api;
    /** Records stale responses. */
    readonly note: (what: string, fresh: boolean) => void;
  }

  const pairs: Omit<Pair, 'write' | 'read' | 'note'>[] = [];
  for (let lane = 0; lane < lanes; lane++) {
    const [anna, bert] = [await system.person({ is_broker: true }), await system.person()];
    const { id: contact } = await newRecord(anna, resourceCalled('contacts'));
    const { id: hotness } = await newRecord(anna, resourceCalled('hotnesses'));
    pairs.push({ anna, bert, contact, hotness });
  }

  /** Expects no stale response in many rounds. */
  async function race(work: (pair: Pair) => Promise<void>): Promise<void> {
    const { stale, looks } = await staleAnswers(work, gateways, rounds);
    expect(stale).toEqual([]);
    expect(looks).toBeGreaterThanOrEqual(2 * rounds);
  }

  /** Runs rounds concurrently in several lanes, each with its own users, through all gateways in turn. */
  async function staleAnswers(
    work: (pair: Pair) => Promise<void>,
    gateways: readonly ApiOf[],
    rounds: number,
  ) {
    const stale: string[] = [];
    let looks = 0;
    const note = (what: string, fresh: boolean) => {
      looks += 1;
      if (!fresh) stale.push(what);
    };
    const through = (number: number) => (who: { readonly token: string }) =>
      (gateways[number % gateways.length] ?? system.as)(who.token);
    const left = Array.from({ length: rounds }, (_, round) => round).values();
    await Promise.all(
      pairs.map(async (pair) => {
        for (const round of left) {
          // Every combination of the gateways for writing and reading.
          await work({ ...pair, write: through(round), read: through(round >> 1), note });
        }
      }),
    );
    return { stale, looks };
  }

  /** Whether a record is visible, alternately by itself and in a list. */
  let turn = 0;
  const sees = async (api: Api, path: string, id: number): Promise<boolean> => {
    turn += 1;
    if (turn % 2 === 0) return (await api.list(`${path}?id=${id}`)).total === 1;
    const { status } = await api.get(`${path}/${id}`);
    expect([200, 404]).toContain(status);
    return status === 200;
  };

  async function newTeam({ anna, bert, write }: Pick<Pair, 'anna' | 'bert' | 'write'>, sharing: boolean) {
    const draft = { name: 'Team', is_contact_resource_sharing_enabled: sharing };
    const team = await ok(write(anna).post('/teams', draft));
    const invitation = await system.operator.teamMembers.invite({ team_id: team.id, user_id: bert.id });
    const accept = () =>
      ok(write(bert).patch(`/team-members/${invitation.id}`, { request_status: 'Accepted' }));
    const remove = () => ok(write(anna).delete(`/teams/${team.id}`));
    return { id: team.id, path: `/teams/${team.id}`, accept, remove };
  }

  const changeTeam = async (pair: Pair) => {
    const { anna, bert, contact, write, read, note } = pair;
    const seen = () => sees(read(bert), '/contacts', contact);
    const share = (sharing: boolean) =>
      ok(write(anna).patch(team.path, { is_contact_resource_sharing_enabled: sharing }));
    const team = await newTeam(pair, true);
    note('invited', !(await seen()));
    await team.accept();
    note('accepted', await seen());
    await share(false);
    note('sharing off', !(await seen()));
    await share(true);
    note('sharing on', await seen());
    await team.remove();
    note('team removed', !(await seen()));
    const late = await read(anna).post(`/contacts/${contact}/shares`, { user_id: bert.id });
    note('no longer a teammate', late.status === 400);
  };

  it('accepting an invitation, ending the sharing and removing the team', () => race(changeTeam));

  it('assigning a contact and undoing it, sharing a contact and undoing it', async () => {
    for (const { anna, bert } of pairs) {
      await (await newTeam({ anna, bert, write: ({ token }) => system.as(token) }, false)).accept();
    }
    await race(async ({ anna, bert, contact, write, read, note }) => {
      const path = `/contacts/${contact}`;
      const seen = () => sees(read(bert), '/contacts', contact);
      const assign = (assigned_user_id: number | null) => ok(write(anna).patch(path, { assigned_user_id }));
      note('not yet', !(await seen()));
      await assign(bert.id);
      note('assigned', await seen());
      await assign(null);
      note('taken back', !(await seen()));
      const share = await ok(write(anna).post(`${path}/shares`, { user_id: bert.id }));
      note('shared', await seen());
      await ok(write(anna).delete(`${path}/shares/${share.id}`));
      note('no longer shared', !(await seen()));
    });
  });

  it('creating and removing a sub-account', async () => {
    await race(async ({ anna, bert, hotness, write, read, note }) => {
      const draft = { user_id: bert.id, user_can_see_broker_hotnesses: true };
      await bert.allows(anna);
      const { id, access_token } = await ok(write(anna).post('/sub-accounts', draft));
      const given = { token: String(access_token) };
      note('seen with its token', await sees(read(given), '/hotnesses', hotness));
      note('seen with the own token', await sees(read(bert), '/hotnesses', hotness));
      await ok(write(anna).delete(`/sub-accounts/${id}`));
      note('its token', (await read(given).get('/hotnesses')).status === 401);
      note('gone with the own token', !(await sees(read(bert), '/hotnesses', hotness)));
    });
  });

  it('sharing a campaign with sub-accounts and undoing it', async () => {
    for (const { anna, bert } of pairs) {
      await bert.allows(anna);
      await ok(system.as(anna.token).post('/sub-accounts', { user_id: bert.id }));
    }
    await race(async ({ anna, bert, write, read, note }) => {
      const { id } = await ok(write(anna).post('/campaigns', { name: randomUUID() }));
      const share = (sharing: boolean) =>
        ok(write(anna).patch(`/campaigns/${id}`, { is_broker_sharing_on: sharing }));
      note('made', await sees(read(anna), '/campaigns', id));
      note('not shared', !(await sees(read(bert), '/campaigns', id)));
      await share(true);
      note('shared', await sees(read(bert), '/campaigns', id));
      await share(false);
      note('no longer shared', !(await sees(read(bert), '/campaigns', id)));
    });
  });

  it('removing a team with its distribution options', async () => {
    const options = '/team-member-distribution-options';
    await race(async (pair) => {
      const { anna, bert, write, read, note } = pair;
      const team = await newTeam(pair, false);
      await team.accept();
      const draft = { team_id: team.id, user_id: bert.id, assign_automatically: false };
      const { id } = await ok(write(anna).post(options, draft));
      note('the option of the member', await sees(read(bert), options, id));
      await team.remove();
      note('gone for the member', !(await sees(read(bert), options, id)));
      note('gone for the creator', !(await sees(read(anna), options, id)));
    });
  });

  it('submitting a lead for a new contact, offering it and claiming it', async () => {
    const routes = new Map<number, number>();
    for (const { anna, bert } of pairs) {
      const api = system.as(anna.token);
      const team = await newTeam({ anna, bert, write: ({ token }) => system.as(token) }, false);
      await team.accept();
      await ok(api.patch(team.path, { order_method: 'Time' }));
      const option = { team_id: team.id, user_id: bert.id, assign_automatically: false };
      await ok(api.post('/team-member-distribution-options', option));
      const lead_source_id = Number((await api.list('/lead-sources?name=Zillow')).data[0]?.id);
      const contact_source_id = Number((await api.list('/contact-sources?name=Zillow')).data[0]?.id);
      const { id: campaign_id } = await ok(api.post('/campaigns', { name: randomUUID() }));
      const target = { distribution_target: 'Team Rollout', team_id: team.id };
      await ok(api.post('/lead-routes', { lead_source_id, contact_source_id, campaign_id, ...target }));
      routes.set(anna.id, lead_source_id);
    }
    await race(async ({ anna, bert, write, read, note }) => {
      const contact = await ok(write(anna).post('/contacts', { first_name: 'Carla' }));
      const source_id = routes.get(anna.id);
      const { id } = await ok(read(anna).post('/leads', { contact_id: contact.id, source_id }));
      const lead = (who: Person) => ok(read(who).get(`/leads/${id}`));
      note('the lead with its contact', (await lead(anna)).contact !== null);
      note('not yet for the member', !(await sees(read(bert), '/leads', id)));
      expect((await write(anna).post(`/leads/${id}/offers`, {})).status).toBe(201);
      note('the offer', (await read(bert).list(`/leads/${id}/offers`)).total === 1);
      note('the lead for the member', await sees(read(bert), '/leads', id));
      expect((await write(bert).post(`/leads/${id}/claim`, {})).status).toBe(200);
      note('the claim', (await lead(anna)).claimed_by_user_id === bert.id);
      await ok(write(anna).delete(`/contacts/${contact.id}`));
      note('the lead without its contact', (await lead(anna)).contact === null);
    });
  });

  /** A campaign that sends two messages and assigns an agent a task and a recurring task. */
  async function newDrip({ anna, write }: Pick<Pair, 'anna' | 'write'>) {
    const { id } = await ok(write(anna).post('/campaigns', { name: randomUUID() }));
    const later = { timing_type: 'Delay by Minutes', delay_by_seconds: 3600 };
    const daily = { timing_type: 'Recurring', delay_by_days: 1, dispatch_time: '09:00:00' };
    for (const action of [
      { type: 'Email Contact', ...later },
      { type: 'Text Contact', ...later },
      { type: 'Agent Task - No Reminder', ...later },
      { type: 'Agent Task - No Reminder', ...daily, recurrence: 'FREQ=DAILY;COUNT=2' },
    ])
      await ok(write(anna).post(`/campaigns/${id}/actions`, action));
    return `/campaigns/${id}/contacts`;
  }

  /** How often scheduling did not respond in time. */
  let late = 0;
  const follow = async (drips: ReadonlyMap<number, string>, { anna, write, read, note }: Pair) => {
    const drip = drips.get(anna.id) ?? '';
    const { id: contact_id } = await ok(write(anna).post('/contacts', { first_name: 'Carla' }));
    const added = await ok(read(anna).post(drip, { contact_id }));
    const counts = async (api: Api) => {
      const lists = [
        `/contacts/${contact_id}/campaign-communications`,
        `/tasks?campaign_contact_id=${added.id}`,
      ];
      const found = await Promise.all(lists.map((list) => api.list(list)));
      return found.map(({ total }) => total).join();
    };
    // Then the response has said that nothing is scheduled yet.
    if (added.scheduled_at === null) late += 1;
    else note('its communications and tasks', (await counts(write(anna))) === '2,3');
    note('the contact in the campaign', await sees(write(anna), drip, added.id));
    await ok(write(anna).delete(`${drip}/${added.id}`));
    note('nothing left of them', (await counts(read(anna))) === '0,0');
    note('no longer in the campaign', !(await sees(read(anna), drip, added.id)));
  };

  it('adding a contact to a campaign and removing it', { timeout: 600_000 }, async ({ annotate }) => {
    const drips = new Map<number, string>();
    for (const pair of pairs) {
      drips.set(pair.anna.id, await newDrip({ ...pair, write: ({ token }) => system.as(token) }));
    }
    // How many are late depends on the machine, and they show little. So others take their place.
    for (let left = followUps; left > 0; left = late) {
      late = 0;
      const { stale, looks } = await staleAnswers((pair) => follow(drips, pair), gateways, left);
      await annotate(`${left} follow-ups, ${looks} looks, ${stale.length} stale, ${late} late`);
      expect(stale).toEqual([]);
      expect(looks).toBe(4 * left - late);
    }
  });

  const revokeToken = async ({ anna, contact, write, read, note }: Pair) => {
    const { token } = await system.token(anna, 'write');
    note('new', (await read({ token }).get(`/contacts/${contact}`)).status === 200);
    note('new elsewhere', (await write({ token }).get('/teams?$limit=0')).status === 200);
    await system.revoke(token);
    const after = await Promise.all([
      read({ token }).get(`/contacts/${contact}`),
      write({ token }).get(`/contacts/${contact}`),
      read({ token }).patch(`/contacts/${contact}`, { first_name: 'Late' }),
      write({ token }).get('/me'),
    ]);
    note(
      'revoked',
      after.every(({ status }) => status === 401),
    );
  };

  it('revoking a token', () => race(revokeToken));

  it('is stale in a system with a faulty cache of actors, which this test detects', async () => {
    const teams = await staleAnswers(changeTeam, [system.as, remembering], lanes);
    expect(teams.stale).toContain('accepted');
    const tokens = await staleAnswers(revokeToken, [system.as, remembering], lanes);
    expect(tokens.stale).toContain('revoked');
  });
});
