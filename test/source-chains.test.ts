import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { scale } from './contract/budget.ts';
import type { Api, ApiOf, Json } from './system/api.ts';
import { ok } from './system/made.ts';
import { startSystem } from './system.ts';

/** `TEST_SCALE=134` makes 10,050. */
const chains = 75 * scale;
const lanes = 8;
/** After so many chains a lane goes on with a new account. */
const perAccount = 25;
const defaults = ['Zillow', 'Trulia', 'Realtor.com', 'Facebook', 'Website', 'Referral'];

/** With two instances of everything, so that a response may come from one that has not handled any event yet. */
describe('a chain of contact source, lead source, lead route and lead', async () => {
  const system = await startSystem('apart');
  afterAll(system.stop);
  const gateways: readonly ApiOf[] = [system.as, await system.anotherInstance()];

  const stale: string[] = [];
  let looks = 0;
  const note = (what: string, ids: readonly unknown[]) => {
    looks += 1;
    if (ids.length !== 1) stale.push(`${what}: ${ids.length}`);
    return Number(ids[0]);
  };

  /** A new account whose events nobody waits for; each request goes through the other gateway than the one before. */
  async function newAccount(first: number) {
    const account = { email: `${randomUUID()}@example.com` };
    const { id } = await system.operator.users.create(account);
    const { access_token } = await system.operator.tokens.create({ user: id, scope: 'write' });
    let request = first;
    return (): Api => {
      request += 1;
      return (gateways[request % gateways.length] ?? system.as)(access_token);
    };
  }

  const idsOf = async (api: Api, path: string, name: string) =>
    (await api.list(`${path}?name=${encodeURIComponent(name)}`)).data.map(({ id }) => id);

  /** The defaults of a new account, first of one catalog or of the other. */
  async function lookAtDefaults(next: () => Api, turn: number) {
    const name = defaults[turn % defaults.length] ?? '';
    const paths = ['/contact-sources', '/lead-sources'];
    for (const path of turn % 2 === 0 ? paths : paths.toReversed())
      note(`default ${path}`, await idsOf(next(), path, name));
  }

  /** A renamed and then removed contact source takes its lead source with it. */
  async function lookAtRemoval(next: () => Api) {
    const [name, renamed] = [`Source ${randomUUID()}`, `Renamed ${randomUUID()}`];
    const { id } = await ok(next().post('/contact-sources', { name }));
    note('lead source to be renamed', await idsOf(next(), '/lead-sources', name));
    await ok(next().patch(`/contact-sources/${id}`, { name: renamed }));
    note('lead source to be removed', await idsOf(next(), '/lead-sources', renamed));
    await ok(next().delete(`/contact-sources/${id}`));
    for (const gone of [name, renamed])
      note('removed lead source', (await idsOf(next(), '/lead-sources', gone)).length === 0 ? [id] : []);
  }

  async function chain(next: () => Api, campaign_id: number, contact_id: number) {
    const name = `Source ${randomUUID()}`;
    const { id: contact_source_id } = await ok(next().post('/contact-sources', { name }));
    const lead_source_id = note('lead source', await idsOf(next(), '/lead-sources', name));
    const draft = { campaign_id, lead_source_id, contact_source_id, distribution_target: 'Myself' };
    const route = await ok(next().post('/lead-routes', draft));
    note('lead route', (await next().list(`/lead-routes?id=${route.id}`)).data);
    const lead = await ok(next().post('/leads', { contact_id, source_id: lead_source_id }));
    const { source } = await ok(next().get(`/leads/${lead.id}`));
    note('lead', (source as Json | null)?.name === name ? [lead.id] : []);
    const { lead_route_id } = await ok(next().get(`/leads/${lead.id}/routing`));
    note('its route', lead_route_id === route.id ? [route.id] : []);
  }

  it('needs no waiting, from a new account on', { timeout: 3_600_000 }, async ({ annotate }) => {
    const left = Array.from({ length: Math.ceil(chains / perAccount) }, (_, account) => account).values();
    const work = async () => {
      for (const turn of left) {
        const next = await newAccount(turn);
        await lookAtDefaults(next, turn);
        await lookAtRemoval(next);
        const { id: campaign } = await ok(next().post('/campaigns', { name: 'Welcome' }));
        const { id: contact } = await ok(next().post('/contacts', { first_name: 'Carla' }));
        for (let made = 0; made < perAccount; made++) await chain(next, campaign, contact);
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
    await annotate(`${chains} chains, ${looks} looks, ${stale.length} stale`);
    expect(stale).toEqual([]);
    expect(looks).toBeGreaterThanOrEqual(4 * chains);
  });
});
