import { remoteService } from '@crm/client';
import { afterAll, describe, expect, it } from 'vitest';
import { accountWrites } from './audit/account-writes.ts';
import { applicationWrites } from './audit/application-writes.ts';
import { linkWrites } from './audit/link-writes.ts';
import { operatorWrites } from './audit/operator-writes.ts';
import { providerWrites } from './audit/provider-writes.ts';
import { serviceWrites } from './audit/service-writes.ts';
import { userWrites } from './audit/user-writes.ts';
import type { World } from './audit/write.ts';
import { next } from './contract/records.ts';
import { creatable } from './contract/resources.ts';
import { operations } from './system/definitions.ts';
import { shapesFor, startSystem } from './system.ts';

const mutations = operations
  // A page that is only shown changes nothing; see the record about the audit log.
  .filter(({ operation: { kind, web, rest } }) => kind === 'mutation' && !(web && rest?.startsWith('GET ')))
  .map(({ service, procedure }) => `${service}.${procedure}`);

/** Created, changed and removed by the test of the audit log. */
const generated = creatable.flatMap(({ service, create, patch, remove }) =>
  [create, patch, remove].flatMap((route) => (route ? [`${service}.${route.procedure}`] : [])),
);

describe.each(shapesFor(import.meta))('%s: the audit log', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const remotes = new Map(
    Object.entries(system.services).map(([name, url]) => [name, remoteService(url)] as const),
  );
  afterAll(() => Promise.all([...remotes.values()].map((remote) => remote.close())));
  const call: World['call'] = async (caller, operation, input, requestId) => {
    const [service = '', ...procedure] = operation.split('.');
    const credential = { token: system.credentials[caller] ?? caller };
    return remotes.get(service)?.call({ procedure: procedure.join('.'), input, credential, requestId });
  };
  const world = { system, call };
  const writes = [
    ...(await operatorWrites(world)),
    ...(await serviceWrites(world)),
    ...(await userWrites(world)),
    ...(await accountWrites(world)),
    ...(await applicationWrites(world)),
    ...(await linkWrites(world)),
    ...(await providerWrites(world)),
  ];

  it('has an expectation for each operation that writes', () => {
    const expected = [...writes.map(({ operation }) => operation), ...generated];
    expect(expected.sort()).toEqual([...mutations].sort());
  });

  it.each(writes)(
    'tells who did what with $operation, and with which request',
    async ({ operation, run, row }) => {
      const requestId = `audit-write-${next()}`;
      await run(requestId);
      const [service = '', ...procedure] = operation.split('.');
      const text = `select actor_type, user_id, act_user_id, client_id, token_id, address, record_type, record_id
      from audit_events where request_id = $1 and action = $2`;
      const rows = await system.rows(service, text, [requestId, procedure.join('.')]);
      expect(rows).toContainEqual(row);
      for (const one of rows)
        expect({ ...one, record_type: null, record_id: null }).toEqual({
          ...row,
          record_type: null,
          record_id: null,
        });
    },
  );
});
