import { deadlineIn } from '@crm/client';
import { unsupportedMediaType, type WebAnswer, type WebRequest, webHeaders } from '@crm/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeUtf8 } from './json-body.ts';
import { type Backend, requestMs } from './mount.ts';
import { queryOf } from './paths.ts';
import { isEncoded } from './request-headers.ts';
import type { Route } from './routes.ts';

/** Pages, forms and callbacks are small. */
const maxBodyBytes = 65_536;

/** Mounts operations that read the raw request and write the raw response: both are passed through unchanged. */
export function mountWeb(
  app: FastifyInstance,
  routes: readonly Route[],
  backend: Pick<Backend, 'callers' | 'asGateway'>,
) {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maxBodyBytes },
      async (_request: FastifyRequest, bytes: Buffer) => decodeUtf8(bytes),
    );
    for (const route of routes) mountOne(scope, route, backend);
  });
}

function mountOne(
  app: FastifyInstance,
  { service, procedure, method, path }: Route,
  { callers, asGateway }: Pick<Backend, 'callers' | 'asGateway'>,
) {
  const call = callers[service];
  if (!call) throw new Error(`The service "${service}" has no caller.`);
  const onRequest = async ({ raw }: FastifyRequest) => {
    if (isEncoded(raw)) throw unsupportedMediaType();
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const input = webRequestOf(request);
    const credential = await asGateway(service, request.id);
    const { text } = await call({
      procedure,
      input,
      credential,
      requestId: request.id,
      deadline: deadlineIn(requestMs),
    });
    const { status, headers, body } = JSON.parse(text) as WebAnswer;
    // The response decides itself what other origins may read.
    return reply.removeHeader('access-control-allow-origin').code(status).headers(headers).send(body);
  };
  app.route({ method, url: path, onRequest, handler });
}

function webRequestOf({ raw, url, params, body, ip }: FastifyRequest): WebRequest {
  const headers = webHeaders.flatMap((name) => {
    const value = raw.headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  return {
    params: params as Record<string, string>,
    query: queryOf(url),
    headers: Object.fromEntries(headers),
    body: typeof body === 'string' ? body : '',
    address: ip,
  };
}
