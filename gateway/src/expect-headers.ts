import type { IncomingMessage, ServerResponse } from 'node:http';
import { malformedRequest } from '@crm/contract';
import type { FastifyInstance } from 'fastify';

/** Handles requests without Host or with Expect, to which Node itself would respond without an error body or too early. */
export function expectHeaders(app: FastifyInstance): void {
  const route = (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response);
  app.server.on('checkContinue', route).on('checkExpectation', route);
  app.addHook('onRequest', async ({ raw: { httpVersion, headers, headersDistinct } }, reply) => {
    if (httpVersion === '1.1' && headers.host === undefined)
      throw malformedRequest({ message: 'The request has no Host header.' });
    if ((headersDistinct.host?.length ?? 0) > 1)
      throw malformedRequest({ message: 'The request has more than one Host header.' });
    if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
      // Implementations disagree about where such a request ends (RFC 9112, section 6.1).
      reply.header('connection', 'close');
      throw malformedRequest({ message: 'HTTP/1.0 has no Transfer-Encoding.' });
    }
    if (headers.expect !== undefined && !expectsContinue(headers.expect))
      throw malformedRequest({ message: 'The only supported value of Expect is "100-continue".' });
  });
  // A client that waits for this would then send the body, which is useless if the token is refused. HTTP/1.0 does not support
  // it.
  app.addHook('preParsing', async ({ raw, is404 }, reply) => {
    if (!is404 && raw.headers.expect !== undefined && raw.httpVersion === '1.1') reply.raw.writeContinue();
  });
}

const expectsContinue = (expect: string): boolean => expect.toLowerCase() === '100-continue';
