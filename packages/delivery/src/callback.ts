import { type Inbound, readInbound } from './inbound.ts';

/** A request as the gateway passes it on. */
interface CallbackRequest {
  readonly query: string;
  readonly body: string;
  readonly headers: { readonly 'x-twilio-signature'?: string | undefined };
}

interface Receiver {
  readonly publicUrl: string;
  readonly carrier: { readonly authToken: string };
}

/**
 * The form that the provider posted; undefined if it is not signed by the provider. The signature covers the URL that we gave to
 * the provider.
 */
export function readCallback<Kind extends Inbound['kind']>(
  { publicUrl, carrier }: Receiver,
  kind: Kind,
  path: string,
  { query, body, headers }: CallbackRequest,
) {
  const url = signedUrl(publicUrl, path, query);
  const inbound = readInbound({ url, body, signature: headers['x-twilio-signature'] }, carrier.authToken);
  return inbound?.kind === kind ? (inbound as Extract<Inbound, { kind: Kind }>) : undefined;
}

/** The URL that the provider signs, from the query of its request. */
export const signedUrl = (publicUrl: string, path: string, query: string): string =>
  `${publicUrl}${path}${query === '' ? '' : `?${query}`}`;

export const noStore = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** The response to a callback, in the provider's markup language. */
export const twimlAnswer = (body: string) => ({
  status: 200,
  headers: { 'content-type': 'text/xml; charset=utf-8', ...noStore },
  body,
});

export const refusedCallback = {
  status: 403,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...noStore },
  body: 'This callback is not signed by the provider, or a required field is missing.',
};
