import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@crm/client';
import type { Carriers } from '@crm/delivery/testing';
import { identityApi } from '@crm/identity/api';
import { operatorUser } from '@crm/messaging';
import { schedulingApi } from '@crm/scheduling/api';
import { gatheringMs, type RateLimits } from '@crm/service/process';
import { processEnding, reservePort } from '@crm/testing';
import { answerChecker } from './system/answer-checker.ts';
import { type Api, type ApiOf, apiAt } from './system/api.ts';
import { checkAudit } from './system/audit-checker.ts';
import { checkEvent } from './system/event-checker.ts';
import { startGatewayAt } from './system/gateway-at.ts';
import type { PastTheRules } from './system/past-the-rules.ts';
import { startRememberingGateway } from './system/remembering-gateway.ts';
import type { LogLine } from './system/shape.ts';
import { type Shape, type Shared, starters, startShared } from './system/shared.ts';

export { type Shape, shapes, shapesFor } from './system/shared.ts';

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly token: string;
  /** The public API on the person's behalf. */
  readonly api: Api;
  /** Lets a broker add the person as a sub-account. */
  readonly allows: (broker: { readonly id: number }) => Promise<void>;
  /** Someone new in the same system, who has nothing to do with the person. */
  readonly someoneNew: () => Promise<Person>;
  /** What the service of campaigns may ask of scheduling. */
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
  /** With the rights of the crm command. */
  readonly natsUrl: string;
  /** Of each service, by its name. */
  readonly services: Readonly<Record<string, string>>;
  /** Someone new with a token. Returns when all services have handled the events of the account. */
  person(facts?: Facts): Promise<Person>;
  /** Another token of a person, with an API of its own. */
  token(person: Person, scope: 'read' | 'write'): Promise<{ readonly token: string; readonly api: Api }>;
  revoke(token: string): Promise<void>;
  /** The public API with any token, or with none. */
  readonly as: ApiOf;
  /** The public API through one more gateway and one more instance of each service, on the same data. */
  anotherInstance(): Promise<ApiOf>;
  /** The public API through a gateway with the fault that it remembers for a second who is asking. */
  rememberingGateway(): Promise<ApiOf>;
  /** The public API through a gateway that limits requests. */
  limitedGateway(rateLimits: RateLimits): Promise<ApiOf>;
  /** What the system itself may ask of identity. */
  readonly operator: Client<typeof identityApi>;
  /** What the operator may ask of scheduling. */
  readonly scheduling: Client<typeof schedulingApi>;
  /** The secret of everybody who acts as the system. */
  readonly credentials: Readonly<Record<string, string>>;
  /** With which the codes that confirm phone numbers are made. */
  readonly phoneCodeKey: string;
  /** The lines of the log, also those that processes have gathered and not written yet. */
  logs(): Promise<readonly LogLine[]>;
  stop(): Promise<void>;
}

/** The systems that this process has started, by shape. They run until it ends. */
const started = new Map<Shape, Promise<Shared>>();
/** Stops what a test file did not stop because none of its tests ran. */
const leftOver = new Map<Shape, System['stop']>();

/**
 * The whole system behind its real gateway, empty, on its own database and broker. Starting one takes seconds, so test
 * files of one process share it one after the other.
 */
export async function startSystem(shape: Shape): Promise<System> {
  await leftOver.get(shape)?.();
  const shared = await (started.get(shape) ?? begin(shape));
  const cleanup = new AsyncDisposableStack();
  const system = use(shape, shared, cleanup);
  const stop = async () => {
    leftOver.delete(shape);
    try {
      await shared.past.settled();
      const said = await Promise.all(Object.keys(system.services).map(system.published));
      said.flat().forEach(checkEvent);
      await checkAudit(shared.ground.definitions, shared.past, await system.logs());
      await cleanup.disposeAsync();
      await shared.wipe();
      shared.running.logs.length = 0;
    } catch (error) {
      // Its state is unknown, so the next file starts another.
      started.delete(shape);
      await shared.end();
      throw error;
    }
  };
  leftOver.set(shape, stop);
  return { ...system, stop };
}

function begin(shape: Shape): Promise<Shared> {
  const starting = startShared(shape);
  started.set(shape, starting);
  processEnding().defer(async () => {
    if (started.get(shape) === starting) await (await starting).end();
  });
  return starting;
}

function use(shape: Shape, shared: Shared, cleanup: AsyncDisposableStack): Omit<System, 'stop'> {
  const { ground, running, past, carriers } = shared;
  const { as, close } = apiAt(running.url, shared.check);
  cleanup.defer(close);
  const { operatorToken, serviceTokens } = ground.settings;
  const operator = createClient(identityApi, { url: running.services.identity ?? '', token: operatorToken });
  const schedulingFor = (token = '') =>
    createClient(schedulingApi, { url: running.services.scheduling ?? '', token });
  const scheduling = schedulingFor(serviceTokens['campaigns-templates']);
  const behind = { services: running.services, serviceToken: serviceTokens.gateway ?? '' };

  const through = async (url: string) => {
    const another = apiAt(url, await answerChecker(url));
    cleanup.defer(another.close);
    return another.as;
  };
  const anotherInstance = async () => {
    const { url } = await starters[shape]({ ...ground, port: await reservePort(), cleanup });
    return through(url);
  };
  const throughGateway = async (starting: ReturnType<typeof startGatewayAt>) => {
    const gateway = await starting;
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
    const account = { email, is_broker, timezone };
    const { id } = await operator.users.create({ ...account, first_name: 'Ada', last_name: 'Byron' });
    const held = await token(id, scope);
    await past.settled();
    const allows = async (broker: { readonly id: number }) =>
      void (await operator.subAccounts.consent({ broker: broker.id, user: id }));
    return { id, email, ...held, allows, someoneNew: () => person(), scheduling };
  };
  return {
    ...past,
    person,
    url: running.url,
    carriers,
    databaseUrl: ground.database.adminUrl,
    natsUrl: ground.natsUrls[operatorUser] ?? '',
    services: running.services,
    as,
    anotherInstance,
    rememberingGateway: () => throughGateway(startRememberingGateway(behind)),
    limitedGateway: (rateLimits) => throughGateway(startGatewayAt(behind, { rateLimits })),
    operator,
    scheduling: schedulingFor(operatorToken),
    credentials: { ...serviceTokens, operator: operatorToken },
    phoneCodeKey: ground.settings.phoneCodeKey,
    token: ({ id }, scope) => token(id, scope),
    revoke: async (revoked) => void (await operator.tokens.revoke({ token: revoked })),
    logs: async () => {
      await sleep(2 * gatheringMs);
      return running.logs;
    },
  };
}
