import { hashOfToken } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { inShape } from './contract/in-shape.ts';
import { fullDraft, newParents, newRecord, next } from './contract/records.ts';
import { type Complete, creatable, pathOf } from './contract/resources.ts';
import type { Json } from './system/api.ts';
import { type Person, shapes, startSystem } from './system.ts';

describe.each(shapes)('%s: the audit log', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person({ is_broker: true });

  const tokenId = async (token: string) =>
    (await system.rows('identity', 'select id from access_tokens where token_hash = $1', [hashOfToken(token)]))[0]
      ?.id;
  /** What was recorded of some work, oldest first, as the person is shown it. */
  const audited = async ({ api }: Pick<Person, 'api'>, work: (request: { 'x-request-id': string }) => unknown) => {
    const request = { 'x-request-id': `audit-test-${next()}` };
    await work(request);
    const query = `request_id=${request['x-request-id']}&$sort[created_at]=1`;
    return (await api.list(`/audit-events?${query}`)).data;
  };
  const brokerAndAgent = async () => {
    const [kim, lee] = [await system.person({ is_broker: true }), await system.person()];
    await lee.allows(kim);
    const { body } = await kim.api.post('/sub-accounts', { user_id: lee.id });
    return { kim, lee, acting: String(body.access_token) };
  };

  it.each(inShape(shape, creatable))('tells who changed which $name, when and how', async (resource) => {
    const { service, name, patch, remove } = resource as Complete;
    const parents = await newParents(anna, resource);
    const collection = pathOf(resource.create, parents);
    const [draft, changes] = [await fullDraft(anna, resource), await fullDraft(anna, resource)];
    const known = {
      service,
      actor_type: 'user',
      user_id: anna.id,
      act_user_id: null,
      client_id: null,
      token_id: await tokenId(anna.token),
      address: expect.stringMatching(/127\.0\.0\.1$/),
    };
    let id = 0;
    const steps: [string, (headers: Record<string, string>) => Promise<{ status: number; body: Json }>][] = [
      ['create', (headers) => anna.api.post(collection, draft, headers)],
    ];
    if (patch) steps.push(['patch', (headers) => anna.api.patch(`${collection}/${id}`, changes, headers)]);
    if (remove) steps.push(['remove', (headers) => anna.api.delete(`${collection}/${id}`, headers)]);
    for (const [verb, act] of steps) {
      const rows = await audited(anna, async (headers) => {
        const { status, body } = await act(headers);
        expect(status, verb).toBe(verb === 'create' ? 201 : 200);
        id = Number(body.id);
      });
      expect(rows, verb).toContainEqual(
        expect.objectContaining({ ...known, action: `${name}.${verb}`, record_id: expect.any(Number) }),
      );
      for (const row of rows.filter((one) => one.service === service)) expect(row).toMatchObject(known);
      console.info(name, verb, id, JSON.stringify(rows.map((r) => [r.service, r.action, r.record_type, r.record_id])));
    }
  });
  void newRecord;
  void brokerAndAgent;
});
