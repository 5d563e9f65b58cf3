import { randomUUID } from 'node:crypto';
import { hasDryRun, pathParameters } from '@crm/contract';
import { routes } from '@crm/gateway';
import { absent } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { inShape } from './contract/in-shape.ts';
import { fullDraft, idFor, newParents, newRecord, resourceCalled } from './contract/records.ts';
import { recordsToChange } from './contract/records-to-change.ts';
import { creatable, pathOf } from './contract/resources.ts';
import type { Json, Method } from './system/api.ts';
import { made } from './system/made.ts';
import { type Person, shapes, startSystem } from './system.ts';

interface Write {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
}

/** Has ended when it is created, so that no worker changes anything while another request is tried. */
const nothingToDo = { action: 'remove', filter: { first_name: 'Nobody' } };

/** A valid request for each operation that can be tried, by the name of its procedure. */
const writes: Readonly<Record<string, (person: Person) => Promise<Write>>> = {
  ...Object.fromEntries(
    creatable.map((resource) => [
      resource.create.procedure,
      async (person: Person) => ({
        method: 'POST',
        path: pathOf(resource.create, await newParents(person, resource)),
        body: await fullDraft(person, resource),
      }),
    ]),
  ),
  ...Object.fromEntries(
    recordsToChange.flatMap(({ name, make }) => [
      [
        `${name}.patch`,
        async (person: Person) => {
          const { path, change } = await make(person);
          return { method: 'PATCH', path, body: await change?.() };
        },
      ],
      [`${name}.remove`, async (person: Person) => ({ method: 'DELETE', path: (await make(person)).path })],
    ]),
  ),
  'staticListContacts.add': async (person) => {
    const { path } = await newRecord(person, resourceCalled('staticLists'));
    const { id } = await newRecord(person, resourceCalled('contacts'));
    return { method: 'POST', path: `${path}/contacts`, body: { contacts_list: [id] } };
  },
  'staticListContacts.remove': async (person) => {
    const { path } = await newRecord(person, resourceCalled('staticLists'));
    const { id } = await newRecord(person, resourceCalled('contacts'));
    await person.api.post(`${path}/contacts`, { contacts_list: [id] });
    return { method: 'DELETE', path: `${path}/contacts/${id}` };
  },
  'templateFolders.share': async (person) => {
    const { path } = await newRecord(person, resourceCalled('templateFolders'));
    const user_id = await idFor(person, { name: 'user_id', target: 'colleague' } as Parameters<
      typeof idFor
    >[1]);
    return { method: 'POST', path: `${path}/shares`, body: { user_id } };
  },
  'offers.send': leadOfATeam,
  'bulkOperations.create': async () => ({ method: 'POST', path: '/bulk-operations', body: nothingToDo }),
  'bulkOperations.patch': async ({ api }) => {
    const { body } = await api.post('/bulk-operations', nothingToDo);
    return { method: 'PATCH', path: `/bulk-operations/${body.id}`, body: { status: 'Canceled' } };
  },
  'imports.patch': async ({ api }) => {
    // It has failed, so that no worker changes it.
    await api.send('POST', '/imports', '\n', { 'content-type': 'text/csv' });
    const { data } = await api.list('/imports?$limit=1');
    return { method: 'PATCH', path: `/imports/${data[0]?.id}`, body: { status: 'Canceled' } };
  },
};

const tried = routes.filter(({ operation }) => hasDryRun(operation));
const untried = routes.filter(
  ({ operation }) => operation.kind === 'mutation' && !hasDryRun(operation) && !operation.upload,
);

describe.each(shapes)('%s: a dry run', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person({ is_broker: true });

  it.each(inShape(shape, tried))(
    'of $procedure answers like the request, and keeps nothing',
    async (route) => {
      const prepare = writes[route.procedure];
      expect(prepare, `${route.procedure} needs an example in this file`).toBeDefined();
      const { method, path, body } = (await prepare?.(anna)) ?? { method: 'GET', path: '/' };
      const headers = { 'idempotency-key': randomUUID(), 'x-request-id': `dry-run-${randomUUID()}` };
      const before = await system.contents();
      const dry = await anna.api.send(method, `${path}?dry_run=true`, body, headers);
      // A record may have a field of this name, and may be sent back as it was received.
      if (
        !('shape' in route.operation.output) ||
        !Object.hasOwn(Object(route.operation.output.shape), 'dry_run')
      ) {
        const inBody = await anna.api.send(method, path, { ...Object(body), dry_run: true }, headers);
        expect([inBody.status, inBody.headers['dry-run']]).toEqual([dry.status, 'true']);
      }
      expect(await system.contents()).toEqual(before);
      for (const service of Object.keys(system.services)) {
        const audited = 'select action from audit_events where request_id = $1';
        expect(await system.rows(service, audited, [headers['x-request-id']])).toEqual([]);
      }
      expect([dry.headers['dry-run'], dry.headers.etag, dry.headers.location]).toEqual([
        'true',
        undefined,
        undefined,
      ]);
      const real = await anna.api.send(method, path, body, headers);
      expect([dry.status, kept(dry.body)]).toEqual([real.status, kept(real.body)]);
      expect(real.status).toBeLessThan(300);
      expect([real.headers['dry-run'], real.headers['idempotency-replayed']]).toEqual([undefined, undefined]);
      const replayed = await anna.api.send(method, `${path}?dry_run=1`, body, headers);
      expect([replayed.body, replayed.headers['idempotency-replayed']]).toEqual([real.body, 'true']);
    },
  );

  it('is refused where it could not be undone or would say nothing', async () => {
    expect(untried.map(({ procedure }) => procedure).sort()).toEqual([
      'leads.claim',
      'leads.decline',
      'me.confirmPhone',
      'me.sendPhoneCode',
      'textPauses.end',
    ]);
    const { id } = await newRecord(anna, resourceCalled('contacts'));
    const before = await system.contents();
    for (const { method, path } of untried) {
      const filled = pathOf({ path }, Object.fromEntries(pathParameters(path).map((name) => [name, id])));
      const answer = await anna.api.send(method, `${filled}?dry_run=true`, { code: '123456', texts: 'end' });
      expect([answer.status, answer.body.errors], path).toEqual([
        400,
        { dry_run: 'is not supported by this operation' },
      ]);
    }
    expect(await system.contents()).toEqual(before);
  });

  it('has the same checks as the request', async () => {
    const { path, collection } = await newRecord(anna, resourceCalled('campaigns'), { name: 'Taken' });
    const reader = await system.token(anna, 'read');
    const before = await system.contents();
    const statuses = [
      await anna.api.post(`${collection}?dry_run=true`, { name: 'taken' }),
      await anna.api.post(`${collection}?dry_run=true`, { name: 5, is_broker_sharing_on: 'maybe' }),
      await reader.api.post(`${collection}?dry_run=true`, { name: 'Other' }),
      await anna.api.patch(`${path}?dry_run=true`, { name: 'Other' }, { 'if-match': '"x"' }),
      await anna.api.delete(`${collection}/${absent}?dry_run=true`),
      await anna.api.delete(`${path}?dry_run=maybe`),
      await anna.api.get(`${collection}?dry_run=true`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([409, 400, 403, 412, 404, 400, 400]);
    expect(await system.contents()).toEqual(before);
    const minimal = await anna.api.patch(
      `${path}?dry_run=true`,
      { name: 'Other' },
      { prefer: 'return=minimal' },
    );
    expect([minimal.status, (await anna.api.get(path)).body.name]).toEqual([204, 'Taken']);
    expect((await anna.api.patch(`${path}?dry_run=false`, { name: 'Other' })).body.name).toBe('Other');
  });
});

/** A lead whose creator has a team with a member who can be offered it. */
async function leadOfATeam(person: Person): Promise<Write> {
  const { api, id } = person;
  const add = async (path: string, draft: Json) => (await made(person, path, draft)).id;
  const name = randomUUID();
  const team_id = await add('/teams', { name, order_method: 'Time' });
  await add('/team-member-distribution-options', { team_id, user_id: id, assign_automatically: false });
  const contact_source_id = await add('/contact-sources', { name });
  const lead_source_id = Number((await api.list(`/lead-sources?name=${name}`)).data[0]?.id);
  await add('/lead-routes', {
    team_id,
    campaign_id: await add('/campaigns', { name }),
    lead_source_id,
    contact_source_id,
    distribution_target: 'Team Rollout',
    team_selection_method: 'Specific Team',
  });
  const contact_id = await add('/contacts', { source_id: contact_source_id });
  const lead = await add('/leads', { contact_id, source_id: lead_source_id });
  return { method: 'POST', path: `/leads/${lead}/offers`, body: {} };
}

/** A record without what two requests cannot have in common: new ids and times. */
function kept(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(kept);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) => !/^(id|scheduled_event_id|scheduled_at|\w+ed_at|notify_at|access_token)$/.test(name),
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, kept(one)]));
}
