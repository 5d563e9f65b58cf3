import { system } from '@crm/auth';
import type { WebAnswer, WebRequest } from '@crm/contract';
import { type DeliveryConfig, readStatus } from '@crm/delivery';
import type { Context } from '@crm/service';
import type { Reported } from './note-status.ts';

/** Receives a status for a row of one of the queues. A status of a row that was removed changes nothing. */
export async function receiveStatus(
  ctx: Context,
  { params, query, body, headers }: WebRequest,
  { publicUrl, carrier }: DeliveryConfig,
  queues: readonly Reported[],
): Promise<WebAnswer> {
  const key = params.key ?? '';
  const [first] = queues;
  const url = `${publicUrl}${first?.statusPath}${key}${query === '' ? '' : `?${query}`}`;
  const report = readStatus({ url, body, signature: headers['x-twilio-signature'] }, carrier.authToken);
  if (!report) return notSigned;
  const { em, query: tx, requestId } = ctx;
  const origin = { em, query: tx, requestId, actor: system, now: () => ctx.now() };
  for (const queue of queues) if (await queue.note(origin, key, report)) break;
  return { status: 204, headers: noStore, body: '' };
}

const noStore = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

const notSigned: WebAnswer = {
  status: 403,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...noStore },
  body: 'This callback is not signed by the provider, or a required field is missing.',
};
