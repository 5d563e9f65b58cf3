import type { IncomingMessage, ServerResponse } from 'node:http';
import { malformedRequest } from '@crm/contract';
import type { FastifyInstance } from 'fastify';

/** Answers what Node itself would answer, without an error body or too early: a request without Host, or with Expect. */
export function expectHeaders(app: FastifyInstance): void {
  const route = (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response);
  app.server.on('checkContinue', route).on('checkExpectation', route);
  app.addHook('onRequest', async ({ raw: { httpVersion, headers } }) => {
    if (httpVersion === '1.1' && headers.host === undefined)
      throw malformedRequest({ message: 'The request has no Host header.' });
    if (headers.expect !== undefined && !expectsContinue(headers.expect))
      throw malformedRequest({ message: 'The only supported value of Expect is "100-continue".' });
  });
  // Whoever waits for this may send the body, which nobody wants if the token is refused.
  app.addHook('preParsing', async ({ raw, is404 }, reply) => {
    if (!is404 && raw.headers.expect !== undefined) reply.raw.writeContinue();
  });
}

const expectsContinue = (expect: string): boolean => expect.toLowerCase() === '100-continue';
