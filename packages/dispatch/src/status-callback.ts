import { system } from '@crm/auth';
import type { WebAnswer, WebRequest } from '@crm/contract';
import {
  type DeliveryConfig,
  noStore,
  readStatus,
  refusedCallback,
  type StatusReport,
  signedUrl,
} from '@crm/delivery';
import { auditChange } from '@crm/messaging';
import type { Context } from '@crm/service';
import type { Reported } from './note-status.ts';
import type { BlockedRecipient } from './queue.ts';

/** The result of a report: the response, and the recipient to block, for the queue with this index. */
export interface Received {
  readonly answer: WebAnswer;
  readonly blocked?: BlockedRecipient & { readonly queue: number };
}

/** Receives a status for a row of one of the queues, in a transaction. A status for a removed row changes nothing. */
export async function receiveStatus(
  ctx: Context,
  { params, query, body, headers }: WebRequest,
  { publicUrl, carrier }: DeliveryConfig,
  queues: readonly Reported[],
): Promise<Received> {
  const key = params.key ?? '';
  const [first] = queues;
  const url = signedUrl(publicUrl, `${first?.statusPath}${key}`, query);
  const report = readStatus({ url, body, signature: headers['x-twilio-signature'] }, carrier.authToken);
  if (!report) return { answer: refusedCallback };
  return { answer: noContent, ...(await noteReport(ctx, key, report, queues)) };
}

/** Stores a report about the row with a key, in whichever queue it is; undefined if it is in none. */
export async function noteReport(
  ctx: Pick<Context, 'em' | 'query' | 'requestId' | 'now'>,
  key: string,
  report: StatusReport,
  queues: readonly Reported[],
): Promise<Pick<Received, 'blocked'> | undefined> {
  const { em, query, requestId } = ctx;
  const origin = { em, query, requestId, actor: system, now: () => ctx.now() };
  for (const [queue, reported] of queues.entries()) {
    const row = await reported.note(origin, key, report);
    if (!row) continue;
    auditChange(em, () => ({ type: reported.recordType, id: row.id, userId: null }));
    const { sent_to: to, lane } = row;
    return report.block && to ? { blocked: { to, why: report.block, lane, queue } } : {};
  }
  return undefined;
}

/** Does what a report requires after its transaction, and returns the response. */
export async function finishReport(
  ctx: Context,
  { answer, blocked }: Received,
  queues: readonly Reported[],
): Promise<WebAnswer> {
  if (blocked) await queues[blocked.queue]?.recordBlock?.(ctx, blocked, ctx.now());
  return answer;
}

export const noContent: WebAnswer = { status: 204, headers: noStore, body: '' };
