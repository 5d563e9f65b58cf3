import type { AddressInfo } from 'node:net';
import type { Call, CallService } from '@crm/client';
import {
  type Contract,
  FilePart,
  find,
  id,
  integer,
  operation,
  pageOf,
  Refused,
  record,
  text,
  tokenInvalid,
} from '@crm/contract';
import type { RateLimits } from '@crm/service/process';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { createGateway } from '../src/app.ts';
import type { Backend } from '../src/backend.ts';
import type { Counters } from '../src/request-counters.ts';
import { routesOf } from '../src/routes.ts';

const ThingView = z.object({ id, name: text(45).nullable(), rank: integer.nullable() });
const draft = ThingView.pick({ name: true, rank: true }).partial();
const newThing = draft.extend({ tags: z.array(id).optional() });
const shown = { output: ThingView };

/** A contract with every form of operation that the public API has. */
const contract = {
  things: {
    find: operation({
      rest: 'GET /things',
      summary: 'List',
      input: find(ThingView),
      output: pageOf(ThingView),
    }),
    get: operation({ rest: 'GET /things/:id', summary: 'Read', input: record(ThingView, { id }), ...shown }),
    create: operation({ rest: 'POST /things', summary: 'Add', input: newThing, ...shown }),
    patch: operation({
      rest: 'PATCH /things/:id',
      summary: 'Change',
      input: record(ThingView, { id, ...draft.shape }),
      ...shown,
    }),
    remove: operation({
      rest: 'DELETE /things/:id',
      summary: 'Remove',
      input: record(ThingView, { id, delete_type: integer.optional() }),
      query: ['delete_type'],
      ...shown,
    }),
    unmark: operation({
      rest: 'DELETE /things/:id/mark',
      summary: 'Unmark',
      input: z.object({ id }),
      ...shown,
    }),
    claim: operation({
      rest: 'POST /things/:id/claim',
      creates: false,
      summary: 'Claim',
      input: z.object({ id }),
      ...shown,
    }),
    export: operation({
      rest: 'GET /things/export',
      summary: 'Export',
      input: z.object({ type: text(50).optional(), cursor: text(50).optional() }),
      output: FilePart,
      download: { name: 'things', types: { 'text/csv': 'csv' } },
    }),
    keys: operation({
      rest: 'GET /things/keys',
      scope: 'write',
      summary: 'Keys',
      input: z.object({}),
      ...shown,
    }),
    count: operation({ rest: 'GET /things/count', summary: 'Count', input: z.object({}), ...shown }),
  },
} satisfies Contract;

/** The account of a test token: 7 for `one.7`. */
const accountIn = (token: string) => Number(token.split('.')[1] ?? 0);

const admitAll: Backend['admit'] = async (token, service) => {
  if (token === 'bad') throw tokenInvalid();
  return { credential: { token: `${token} for ${service}` }, account: accountIn(token) };
};

interface Rig {
  /** The service's response; an empty object by default. */
  readonly answer?: CallService;
  /** The result of admitting a token; by default nothing is remembered about it. */
  readonly admit?: Backend['admit'];
  readonly rateLimits?: RateLimits;
  readonly counters?: Counters;
  readonly reachable?: () => Promise<Readonly<Record<string, boolean>>>;
  readonly drainMs?: number;
  readonly publicUrl?: string;
  readonly trustedProxies?: readonly string[];
}

/** A gateway on a real port in front of a service that only records its calls. */
export async function startThings({
  answer,
  admit = admitAll,
  rateLimits,
  counters,
  reachable,
  drainMs = 0,
  publicUrl,
  trustedProxies = [],
}: Rig = {}) {
  const calls: Call[] = [];
  const admitted: string[] = [];
  const lines: string[] = [];
  const app = createGateway({
    ...(reachable && { reachable }),
    ...(publicUrl !== undefined && { publicUrl }),
    rateLimits,
    trustedProxies,
    ...(counters && { counters }),
    drainMs,
    routes: routesOf({ shop: contract }),
    services: {
      shop: async (call) => {
        calls.push(call);
        return answer ? answer(call) : { text: '{}', replayed: false };
      },
    },
    asGateway: async () => undefined,
    admit: (token, service, from) => {
      admitted.push(token);
      return admit(token, service, from);
    },
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return { app, port, calls, admitted, lines, request: requester(port) };
}

type Json = Readonly<Record<string, unknown>>;

interface Sent {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
}

function requester(port: number) {
  return async (line: string, { token = 'good', headers = {}, body }: Sent = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: bytesOf(body) }),
    });
    const content = await response.text();
    const json = content === '' ? {} : (JSON.parse(content) as Json);
    return { status: response.status, headers: response.headers, json };
  };
}

function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
}

export const refused = (problem: ConstructorParameters<typeof Refused>[0]) => () =>
  Promise.reject(new Refused(problem));
