import { schedulingApi } from '@crm/scheduling/api';
import type { Report } from '../command-line.ts';
import { tableOf } from '../printable.ts';
import { askService } from '../system/ask-service.ts';
import { Unable } from '../system/unable.ts';

export interface MessageFilter {
  readonly before?: string;
  readonly limit?: string;
}

/** The texts from numbers that belong to no contact, latest first. */
export async function listMessages(
  env: NodeJS.ProcessEnv,
  { before, limit = '100' }: MessageFilter,
): Promise<Report> {
  if (!/^\d{1,4}$/.test(limit))
    throw new Unable('Usage', `--limit is "${limit}" but must be a whole number.`);
  const messages = await askService(env, 'scheduling', schedulingApi, ({ inboundTexts }) =>
    inboundTexts.unmatched({ limit: Number(limit), ...(before !== undefined && { before }) }),
  );
  const rows = messages.map(({ received_at, from_number, body }) => [received_at, from_number, body]);
  const table = tableOf(['Received', 'From', 'Text'], rows);
  const text = messages.length > 0 ? table : 'There are no texts from numbers that belong to no contact.';
  return { json: { data: messages }, text };
}
