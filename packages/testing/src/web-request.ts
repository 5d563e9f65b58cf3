import type { WebRequest } from '@crm/contract';

/** A raw request with the given parts, and nothing else. */
export const webRequest = (given: Partial<WebRequest>): WebRequest => ({
  params: {},
  query: '',
  headers: {},
  body: '',
  address: '127.0.0.1',
  ...given,
});
