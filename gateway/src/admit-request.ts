import { bearerTokenIn } from '@crm/client';
import {
  invalidField,
  requestLimits,
  scopeOf,
  tokenMissing,
  unsupportedMediaType,
  urlTooLong,
} from '@crm/contract';
import { readQueryString } from '@crm/query';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LentCredential, rememberAdmissions } from './admit-ahead.ts';
import type { Admission, Backend } from './backend.ts';
import type { RequestLimits } from './limit-requests.ts';
import { queryOf } from './paths.ts';
import { isEncoded } from './request-headers.ts';
import type { Route } from './routes.ts';

/** How requests to the services are admitted. */
export interface Admitting extends Omit<Backend, 'admit'> {
  readonly admit: ReturnType<typeof rememberAdmissions>;
  readonly limits: RequestLimits | undefined;
}

/** What is known about a request before its body is read. */
interface Opened {
  readonly query: Readonly<Record<string, unknown>>;
  readonly credential: LentCredential;
}

declare module 'fastify' {
  interface FastifyRequest {
    opened: Opened | null;
    /** Set when the token of the request has been admitted. */
    admission: Admission | null;
  }
}

/** Runs before the body is read, so that an unauthenticated client cannot make us read one. */
export function admitRequest(route: Route, gateway: Admitting, hasBody: boolean) {
  const { operation } = route;
  const admit = admitterOf(route, gateway);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const query = readQuery(request.url);
    const token = bearerTokenIn(request.headers);
    if (token === undefined && operation.for !== 'anyone') throw noTokenIn(request.headers);
    const credential = token === undefined ? nobody : await admit(token, request, reply);
    if (hasBody && isEncoded(request.raw)) throw unsupportedMediaType();
    request.opened = { query, credential };
  };
}

const noTokenIn = ({ authorization }: FastifyRequest['headers']) =>
  authorization === undefined
    ? tokenMissing()
    : tokenMissing({ message: 'No access token. Send it as `Authorization: Bearer <token>`.' });

const nobody: LentCredential = { credential: undefined };

/**
 * Admits a token to a service unless it has used up its requests. Throws NotAuthenticated and TooManyRequests. A reading request
 * does not wait for its admission if its token was admitted shortly before.
 */
function admitterOf({ service, operation }: Route, { admit, limits }: Admitting) {
  const isQuery = operation.kind === 'query' && !operation.download;
  const mayWorkAhead = isQuery && scopeOf(operation) === 'read';
  return async (token: string, request: FastifyRequest, reply: FastifyReply): Promise<LentCredential> => {
    await limits?.demandLeft(token, reply);
    const { admission, before } = admit(token, service, { requestId: request.id, address: request.ip });
    const counted = async () => {
      const admitted = await admission;
      request.admission = admitted;
      await limits?.countToken(token, admitted.account, reply);
      return admitted;
    };
    const confirming = counted();
    confirming.catch(() => undefined); // Thrown below, or where the work is done.
    const worksAhead =
      mayWorkAhead && before && isForItself(before) && !(await limits?.isUsedUp(before.account));
    if (!worksAhead) return { credential: (await confirming).credential };
    return { credential: before.credential, rights: before.rights, confirming };
  };
}

/**
 * Reads by brokers and the operator are in the audit log, which must not contain refused requests. So are those of what allows
 * writing, by anybody.
 */
const isForItself = ({ user, account }: Admission) => user !== undefined && user === account;

/** The credential that an opened request may use. */
export const credentialIn = ({ opened }: FastifyRequest): LentCredential => opened?.credential ?? nobody;

/** Exchanges the token of a request again. The request was counted before. */
export const admitAgain = ({ service }: Route, { admit }: Admitting, { raw, id, ip }: FastifyRequest) =>
  admit(bearerTokenIn(raw.headers) ?? '', service, { requestId: id, address: ip }).admission;

/** Throws BadRequest and UriTooLong. A token in a URL ends up in logs and histories, so it is never accepted (RFC 6750 §2.3). */
function readQuery(url: string): Readonly<Record<string, unknown>> {
  const text = queryOf(url);
  if (text.length > requestLimits.queryCharacters) throw urlTooLong();
  const query = readQueryString(text);
  if (!Object.hasOwn(query, 'access_token')) return query;
  throw invalidField('access_token', 'must be sent in the Authorization header, not in the URL');
}
