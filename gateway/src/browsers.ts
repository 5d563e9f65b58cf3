import type { FastifyCorsOptions } from '@fastify/cors';

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
  ],
  exposedHeaders: [
    'X-Request-Id',
    'Retry-After',
    'Idempotency-Replayed',
    'Allow',
    'WWW-Authenticate',
    'Preference-Applied',
  ],
  maxAge: 86_400,
  strictPreflight: false,
};

/** For every response. Most contain personal data: no cache may store it, and no page may embed it. */
export const safetyHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
