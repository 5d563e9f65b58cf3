import { type Credential, remoteService } from '@crm/client';
import { Refused } from '@crm/contract';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { approvingUser, redirectUri } from './oauth/approving-user.ts';
import { operations } from './system/definitions.ts';
import { startGatewayAt } from './system/gateway-at.ts';
import { type System, shapesFor, startSystem } from './system.ts';

/**
 * Each operation is called at the port of its service with each credential and no input: those who may not call it are
 * refused before the input is read. The table is a document, in which a new operation has to be entered with `-u`.
 */
describe.each(shapesFor(import.meta))('%s: a credential', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);

  async function credentials() {
    const [broker, user] = [await system.person({ is_broker: true }), await system.person()];
    await user.allows(broker);
    const { body } = await broker.api.post('/sub-accounts', { user_id: user.id });
    const { operator, ...services } = system.credentials;
    const reading = await system.token(user, 'read');
    const applied = (scope: string) => tokenOfApplication(system, scope);
    return {
      nothing: undefined,
      'a user, reading': reading.token,
      'a user': user.token,
      'an application, reading': await applied('read'),
      'an application': await applied('write'),
      'a broker for the user': String(body.access_token),
      'a broker': broker.token,
      'the gateway': services.gateway,
      contacts: services.contacts,
      scheduling: services.scheduling,
      'campaigns-templates': services['campaigns-templates'],
      'leads-routing': services['leads-routing'],
      'a program of another team': services.platform,
      'the crm command': operator,
    };
  }

  const remotes = new Map(
    Object.entries(system.services).map(([name, url]) => [name, remoteService(url)] as const),
  );
  afterAll(() => Promise.all([...remotes.values()].map((remote) => remote.close())));

  async function isReached({ service, procedure }: (typeof operations)[number], token?: string) {
    const credential: Credential = token === undefined ? undefined : { token };
    try {
      await remotes.get(service)?.call({ procedure, input: {}, credential, requestId: 'reach' });
      return true;
    } catch (error) {
      if (!(error instanceof Refused) || error.name === 'GeneralError') throw error;
      return error.name !== 'NotAuthenticated' && error.name !== 'Forbidden';
    }
  }

  it('reaches what the table says, and nothing else', async () => {
    const all = Object.entries(await credentials());
    const lines = [`| | ${all.map(([who]) => who).join(' | ')} |`, `|---|${all.map(() => '---|').join('')}`];
    let last = '';
    for (const operation of operations) {
      if (operation.service !== last)
        lines.push(`| **${operation.service}** |${all.map(() => ' |').join('')}`);
      last = operation.service;
      // One after the other, because some change the account of the user, and each credential must still be valid.
      const marks: string[] = [];
      for (const [, token] of all) marks.push((await isReached(operation, token)) ? '●' : '');
      lines.push(`| \`${operation.procedure}\` | ${marks.join(' | ')} |`);
    }
    const text = `${introduction}\n${lines.join('\n')}\n`;
    await expect(text).toMatchFileSnapshot('../docs/reach.md');
  });

  it('of a gateway that is wrong is a fault of the gateway, and no reason for a client to give up its own', async () => {
    const wrong = { services: system.services, serviceToken: `crm_sv_${'x'.repeat(43)}` };
    const gateway = await startGatewayAt(wrong, {});
    onTestFinished(gateway.stop);
    const { token } = await system.person();
    const statusOf = async (path: string) =>
      (await fetch(gateway.url + path, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await statusOf('/contacts'), await statusOf('/sign-in')]).toEqual([500, 500]);
  });
});

/** What an application gets when a user allows it. */
async function tokenOfApplication(system: System, scope: string): Promise<string> {
  const [user, owner] = [await approvingUser(system), await system.person()];
  const draft = { name: 'Planner', owner: owner.id, redirect_uris: [redirectUri] };
  const { client_id, client_secret } = await system.operator.applications.create(draft);
  const query = { response_type: 'code', client_id, redirect_uri: redirectUri, scope };
  const back = await user.allow(`${system.url}/oauth2/authorize?${new URLSearchParams(query)}`);
  const code = back.searchParams.get('code');
  const grant = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id,
    client_secret,
  };
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${system.url}/oauth2/token`, {
    method: 'POST',
    headers,
    body: JSON.stringify(grant),
  });
  return String(((await answer.json()) as { readonly access_token: string }).access_token);
}

const introduction = `# What each credential reaches

Every operation of every service, and who may call it. Whoever steals the credential of a user or a broker can do what is marked
in its column with the records that they see; those of processes reach the records of all users. Pages authenticate the
person themselves. \`test/reach.test.ts\` calls each operation with each credential and compares; after a deliberate change,
\`npx vitest run test/reach.test.ts -u\` writes this table. The users of the broker are tested in
\`packages/messaging/src/broker-users.test.ts\`, the roles of the database in \`test/database-roles.test.ts\`.
`;
