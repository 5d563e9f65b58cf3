import { requestIdOf } from '@crm/client';
import type { FastifyServerOptions } from 'fastify';
import { tidyUrl } from './paths.ts';
import { answerSocketError } from './socket-errors.ts';

/** How the server treats a connection and a request before there is a route for it. */
export const serverOptions = {
  logger: false,
  bodyLimit: 1_048_576,
  genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
  rewriteUrl: ({ url = '/' }) => tidyUrl(url),
  clientErrorHandler: answerSocketError,
  routerOptions: {
    maxParamLength: 1000,
    // A route reads the query itself: what is thrown from here would end the process.
    querystringParser: () => ({}),
  },
  // A whole request must arrive within these, so that slow ones do not hold all the sockets.
  requestTimeout: 30_000,
  connectionTimeout: 90_000,
  // Longer than the minute after which load balancers drop a connection, lest they send into a closed one.
  keepAliveTimeout: 72_000,
  maxRequestsPerSocket: 10_000,
  // Larger than the longest query, which is then refused by name.
  http: { headersTimeout: 15_000, maxHeaderSize: 49_152 },
  // A request under way is finished, an idle connection is not waited for; what still arrives is answered.
  forceCloseConnections: 'idle',
  return503OnClosing: false,
} as const satisfies FastifyServerOptions & { http: object };
