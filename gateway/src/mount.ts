import type { Caller, Credential } from '@crm/client';
import { invalid, refusal, successOf } from '@crm/contract';
import { longestQuery, readQueryString } from '@crm/query';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callInputOf } from './call-input.ts';
import { inputFieldsOf } from './input-fields.ts';
import { objectIn, unsupportedMediaType } from './json-body.ts';
import { queryOf } from './paths.ts';
import { uriTooLong } from './problem.ts';
import { bearerToken, idempotencyKeyOf, isEncoded, wantsStrictness } from './request-headers.ts';
import type { Route } from './routes.ts';

const noToken = refusal('NotAuthenticated', 'No access token');

export interface Backend {
  /** One for each service of the routes. */
  readonly callers: Readonly<Record<string, Caller>>;
  /** What the service will believe in place of the token a client sent. Throws NotAuthenticated for a bad one. */
  readonly admit: (token: string, service: string, requestId: string) => Promise<Credential>;
}

/** What is known of a request before its body is read. */
interface Admitted {
  readonly query: Readonly<Record<string, unknown>>;
  readonly credential: Credential;
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted | null;
  }
  interface FastifyContextConfig {
    /** Whether the body of a DELETE says something. */
    readsBody?: boolean;
  }
}

/** Makes an operation a route. Nothing of its input is checked here, because the service does so for all its callers. */
export function mount(app: FastifyInstance, route: Route, { callers, admit }: Backend): void {
  const { service, procedure, method, path, operation } = route;
  const call = callers[service];
  if (!call) throw new Error(`There is no caller for the service «${service}».`);
  const fields = inputFieldsOf(operation);
  const hasBody = method === 'DELETE' ? fields.query.length > 0 : method !== 'GET';
  const takesNothing = method === 'DELETE' || Object.keys(fields.body).length === 0;

  /** Before the body is read, so that a stranger cannot make us read one. */
  const onRequest = async (request: FastifyRequest) => {
    const query = readQuery(request.url);
    const token = bearerToken(request.raw);
    if (token === undefined && operation.for !== 'anyone') throw noToken();
    const credential = token === undefined ? undefined : await admit(token, service, request.id);
    if (hasBody && isEncoded(request.raw)) throw unsupportedMediaType();
    request.admitted = { query, credential };
  };

  const bodyOf = ({ body }: FastifyRequest) => {
    if (!hasBody || (takesNothing && body === undefined)) return {};
    return objectIn(body);
  };

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { query, credential } = request.admitted ?? { query: {}, credential: undefined };
    const strict = wantsStrictness(request.raw);
    if (strict) reply.header('preference-applied', 'handling=strict');
    const params = request.params as Record<string, string>;
    const answer = await call({
      procedure,
      input: callInputOf(route, fields, { query, body: bodyOf(request), params, strict }),
      credential,
      requestId: request.id,
      idempotencyKey: method === 'POST' ? idempotencyKeyOf(request.raw) : undefined,
      strict,
    });
    if (answer.replayed) reply.header('idempotency-replayed', 'true');
    return reply
      .code(successOf(operation))
      .header('content-type', 'application/json; charset=utf-8')
      .send(answer.text);
  };

  app.route({ method, url: path, config: { readsBody: hasBody }, onRequest, handler });
}

/** Throws BadRequest and UriTooLong. A token in a URL ends up in logs and histories, so it is never taken (RFC 6750 §2.3). */
function readQuery(url: string): Readonly<Record<string, unknown>> {
  const text = queryOf(url);
  if (text.length > longestQuery) throw uriTooLong();
  const query = readQueryString(text);
  if (!Object.hasOwn(query, 'access_token')) return query;
  const message = 'access_token must be sent in the header Authorization, not in the URL';
  throw invalid({ message, errors: { access_token: 'must be sent in the header Authorization' } });
}
