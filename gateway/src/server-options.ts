import { requestIdOf } from '@crm/client';
import { requestLimits } from '@crm/contract';
import { withoutSchemas } from '@crm/service/process';
import type { FastifyServerOptions } from 'fastify';
import { leavePortsOut } from './forwarded-for.ts';
import { tidyUrl } from './paths.ts';

/** How the server handles a connection, and a request before it is routed. */
export const serverOptions = {
  ...withoutSchemas,
  logger: false,
  bodyLimit: requestLimits.bodyMiB * 1024 * 1024,
  genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
  // The first function called for every request.
  rewriteUrl: ({ url = '/', headers }) => {
    leavePortsOut(headers);
    return tidyUrl(url);
  },
  routerOptions: {
    maxParamLength: 1000,
    // Routes parse the query themselves: an error thrown from here would crash the process.
    querystringParser: () => ({}),
  },
  // For files; other requests must arrive within the limit of limitBodyTime.
  requestTimeout: 30 * 60_000,
  connectionTimeout: 90_000,
  // Longer than load balancers keep a connection, so that they never use a closed one: a minute for AWS and nginx, ten for
  // Google, fifteen for Cloudflare.
  keepAliveTimeout: 920_000,
  maxRequestsPerSocket: 10_000,
  // Node would refuse a request without Host with an empty response; see expectHeaders.
  http: {
    headersTimeout: 15_000,
    maxHeaderSize: requestLimits.headersKB * 1024,
    requireHostHeader: false,
  },
  // Requests in progress and new ones are still served; idle connections are closed.
  forceCloseConnections: 'idle',
  return503OnClosing: false,
} as const satisfies FastifyServerOptions & { http: object };
