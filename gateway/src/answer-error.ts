import { bearerTokenIn } from '@crm/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { problemAnswer, refusalOf } from './problem.ts';
import { isForBrowser, problemPage } from './problem-page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The underlying error, such as that of a connection to a service. */
    cause: unknown;
  }
}

/** Responds to any error of a request. A fault is logged, and the client learns only the request id. */
export function errorAnswerer(log: Logger, publicUrl: string | undefined) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { refused, isFault } = refusalOf(error, {
      isAborted: request.raw.errored === error,
      bodyLimit: request.routeOptions.bodyLimit,
    });
    if (isFault) log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'fault');
    request.cause = refused.cause;
    const facts = {
      requestId: request.id,
      accept: request.headers.accept,
      hasToken: bearerTokenIn(request.headers) !== undefined,
      publicUrl,
      form: request.routeOptions.config.errorForm,
    };
    const answer = problemAnswer(refused, facts);
    const { status, headers, text } = isForBrowser(facts) ? problemPage(refused, answer, request) : answer;
    // Fastify would close the connection while the client is still sending the body, so that it would not read the response.
    reply.removeHeader('connection');
    reply.code(status).headers(headers).send(text);
  };
}
