import { type DeliveryConfig, signatureOf } from '../src/index.ts';

export interface Callback {
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly form: Readonly<Record<string, string>>;
  readonly secret?: string;
}

/** A callback request as the carrier sends it, with its signature. */
export function callbackRequest(
  { publicUrl, carrier }: DeliveryConfig,
  { path, params = {}, query = '', form, secret = carrier.authToken }: Callback,
) {
  const body = new URLSearchParams(form);
  const signature = signatureOf(`${publicUrl}${path}${query && `?${query}`}`, body, secret);
  const headers = { 'x-twilio-signature': signature };
  return { params, query, headers, body: body.toString(), address: '127.0.0.1' };
}
