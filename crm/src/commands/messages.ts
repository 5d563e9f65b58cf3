import { schedulingApi } from '@crm/scheduling/api';
import type { Report } from '../command-line.ts';
import { tableOf } from '../printable.ts';
import { askService } from '../system/ask-service.ts';
import { timeOf, wholeNumber } from './option-values.ts';

export interface MessageFilter {
  readonly before?: string;
  readonly limit: string;
}

/** The texts from numbers that belong to no contact, latest first. */
export async function listMessages(env: NodeJS.ProcessEnv, filter: MessageFilter): Promise<Report> {
  const limit = wholeNumber('--limit', filter.limit, { min: 1, max: 1000 });
  const before = filter.before === undefined ? undefined : timeOf('--before', filter.before).toISOString();
  const messages = await askService(env, 'scheduling', schedulingApi, ({ inboundTexts }) =>
    inboundTexts.unmatched({ limit, before }),
  );
  const rows = messages.map(({ received_at, from_number, body }) => [received_at, from_number, body]);
  const table = tableOf(['Received', 'From', 'Text'], rows);
  const text = messages.length > 0 ? table : 'There are no texts from numbers that belong to no contact.';
  return { json: { data: messages }, text };
}
