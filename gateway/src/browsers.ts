import type { FastifyCorsOptions } from '@fastify/cors';

const exposedHeaders = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
  'Allow',
  'WWW-Authenticate',
  'Preference-Applied',
  'ETag',
  'Location',
  'Dry-Run',
  'Date',
];

/** The implicit grant is for pages of any origin. Cookies are never read, so a page cannot act on behalf of its visitor. */
export const cors: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'Prefer',
    'X-Request-Id',
    'Accept',
    'If-Match',
    'If-None-Match',
  ],
  exposedHeaders,
  maxAge: 86_400,
  strictPreflight: false,
};

/** Lets pages of all origins read a response. */
export const forAllOrigins = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
};

/** For every response. Most contain personal data, so no cache may store them, and no page may embed them. */
export const safetyHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
