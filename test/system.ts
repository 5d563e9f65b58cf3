import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@crm/client';
import { type Carriers, startCarriers } from '@crm/delivery/testing';
import { freePort, startNats } from '@crm/embedded';
import { identityApi } from '@crm/identity/api';
import { schedulingApi } from '@crm/scheduling/api';
import { freshDatabase } from '@crm/testing';
import { answerChecker } from './system/answer-checker.ts';
import { startApart } from './system/apart.ts';
import { type Api, type ApiOf, apiAt } from './system/api.ts';
import { definitionsFor } from './system/definitions.ts';
import { eventChecker } from './system/event-checker.ts';
import { type PastTheRules, pastTheRules } from './system/past-the-rules.ts';
import { startRememberingGateway } from './system/remembering-gateway.ts';
import type { Ground, LogLine, Running } from './system/shape.ts';
import { startTogether } from './system/together.ts';

export const shapes = ['together', 'apart'] as const;
export type Shape = (typeof shapes)[number];

/** How the same services are put together: in one process without HTTP between them, or each on its own. */
const starters: Readonly<Record<Shape, (ground: Ground) => Promise<Running>>> = {
  together: startTogether,
  apart: startApart,
};

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly token: string;
  /** The public API on the person's behalf. */
  readonly api: Api;
  /** Someone new in the same system, who has nothing to do with the person. */
  readonly someoneNew: () => Promise<Person>;
  /** What the system itself may ask of scheduling. */
  readonly scheduling: Client<typeof schedulingApi>;
}

interface Facts {
  readonly scope?: 'read' | 'write';
  readonly is_broker?: boolean;
  readonly timezone?: string;
}

export interface System extends PastTheRules {
  /** Of the gateway. */
  readonly url: string;
  /** What its messages leave through. */
  readonly carriers: Carriers;
  /** With the rights of an administrator. */
  readonly databaseUrl: string;
  /** Of each service, by its name. */
  readonly services: Readonly<Record<string, string>>;
  /** Someone new with a token. Returns when all services have handled the events of the account. */
  person(facts?: Facts): Promise<Person>;
  /** Another token of a person, with an API of its own. */
  token(person: Person, scope: 'read' | 'write'): Promise<{ readonly token: string; readonly api: Api }>;
  revoke(token: string): Promise<void>;
  /** The public API with any token, or with none. */
  readonly as: ApiOf;
  /** The same through one more gateway and one more instance of each service, on the same data. */
  anotherInstance(): Promise<ApiOf>;
  /** The same through a gateway with the fault that it remembers for a second who is asking. */
  rememberingGateway(): Promise<ApiOf>;
  /** What the system itself may ask of identity. */
  readonly operator: Client<typeof identityApi>;
  logs(): readonly LogLine[];
  stop(): Promise<void>;
}

/** The whole system on a database and a broker of its own, behind its real gateway. */
export async function startSystem(shape: Shape): Promise<System> {
  const cleanup = new AsyncDisposableStack();
  try {
    return await start(shape, cleanup);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function start(shape: Shape, cleanup: AsyncDisposableStack): Promise<System> {
  const operatorToken = `crm_op_${randomBytes(24).toString('hex')}`;
  const serviceToken = `crm_sv_${randomBytes(24).toString('hex')}`;
  // Known before anything starts, because those who issue tokens and links tell where they are.
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const carriers = await startCarriers(publicUrl);
  cleanup.defer(carriers.close);
  const claimKey = randomBytes(32).toString('hex');
  const settings = { operatorToken, serviceToken, claimKey, delivery: carriers.delivery };
  const definitions = definitionsFor(settings);
  const database = await freshDatabase(definitions.map(({ store }) => store));
  cleanup.defer(database.drop);
  const natsUrl = await ownBroker(cleanup);
  const ground = { definitions, database, natsUrl, settings, cleanup };
  const running = await starters[shape]({ ...ground, port });
  const past = pastTheRules(definitions, database.adminUrl);
  cleanup.defer(past.close);
  cleanup.defer(async () => {
    const said = await Promise.all(definitions.map(({ name }) => past.published(name)));
    said.flat().forEach(eventChecker());
  });
  const { as, close } = apiAt(running.url, await answerChecker(running.url));
  cleanup.defer(close);
  const operator = createClient(identityApi, { url: running.services.identity ?? '', token: operatorToken });
  const scheduling = createClient(schedulingApi, {
    url: running.services.scheduling ?? '',
    token: operatorToken,
  });

  const through = async (url: string) => {
    const another = apiAt(url, await answerChecker(url));
    cleanup.defer(another.close);
    return another.as;
  };
  const anotherInstance = async () => {
    const { url } = await starters[shape]({ ...ground, port: await freePort() });
    return through(url);
  };
  const rememberingGateway = async () => {
    const gateway = await startRememberingGateway(running.services);
    cleanup.defer(gateway.stop);
    return through(gateway.url);
  };
  const token = async (id: number, scope: 'read' | 'write') => {
    const { access_token } = await operator.tokens.create({ user: id, scope });
    return { token: access_token, api: as(access_token) };
  };
  const person: System['person'] = async (facts = {}) => {
    const { scope = 'write', is_broker = false, timezone = 'America/Los_Angeles' } = facts;
    const email = `${randomUUID()}@example.com`;
    const account = { email, is_broker, timezone, password: randomUUID() };
    const { id } = await operator.users.create({ ...account, first_name: 'Ada', last_name: 'Byron' });
    const held = await token(id, scope);
    await past.settled();
    return { id, email, ...held, someoneNew: () => person(), scheduling };
  };
  return {
    ...past,
    person,
    url: running.url,
    carriers,
    databaseUrl: database.adminUrl,
    services: running.services,
    as,
    anotherInstance,
    rememberingGateway,
    operator,
    token: ({ id }, scope) => token(id, scope),
    revoke: async (revoked) => void (await operator.tokens.revoke({ token: revoked })),
    logs: running.logs,
    stop: () => cleanup.disposeAsync(),
  };
}

/** A stream is known by the name of its service alone, so concurrent systems would receive each other's events. */
async function ownBroker(cleanup: AsyncDisposableStack): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'crm-system-test-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startNats({ dataDir, syncInterval: '2m' });
  cleanup.defer(server.stop);
  return server.url;
}
