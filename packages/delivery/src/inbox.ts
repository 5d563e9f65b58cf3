import type { Agent } from 'undici';
import { z } from 'zod';
import { type Account, listAt, pathOf, Sid } from './carrier-api.ts';
import { senderOf } from './phone.ts';

/** An incoming text as the provider lists it. */
export interface ReceivedText {
  /** The same id as in its callback. */
  readonly id: string;
  /** In E.164, unless it is not a phone number. */
  readonly from: string;
  readonly text: string;
  readonly at: Date;
}

const Listed = z.object({
  sid: Sid,
  from: z.string(),
  direction: z.string(),
  body: z.string(),
  date_created: z.string().transform((text) => new Date(text)),
});
const Page = z.object({ messages: z.array(Listed), next_page_uri: z.string().nullish() });

const pageSize = 200;
const timeoutMs = 20_000;

/** Reads incoming texts from the provider's list, latest first, to find those whose callback never arrived. */
export function openInbox(options: Account & { readonly number: string }) {
  let agent: Agent | undefined;

  async function pageAt(path: string) {
    const { Agent } = await import('undici');
    agent ??= new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs, maxResponseSize: 4_194_304 });
    return Page.parse(JSON.parse(await listAt(options, path, agent, timeoutMs)));
  }

  return {
    /** The texts since the start of the day of `from`, in pages. Throws if the provider does not respond with a list. */
    async *since(from: Date): AsyncGenerator<ReceivedText[]> {
      const query = new URLSearchParams({
        To: options.number,
        'DateSent>': from.toISOString().slice(0, 10),
        PageSize: String(pageSize),
      });
      let path: string | null | undefined = pathOf(options, `Messages.json?${query}`);
      while (path) {
        const { messages, next_page_uri } = await pageAt(path);
        yield messages.flatMap(receivedText);
        // A list that never ends would keep later texts from being read.
        path = messages.length > 0 ? next_page_uri : undefined;
      }
    },
    close: async () => agent?.close(),
  };
}

function receivedText({
  sid,
  from,
  direction,
  body,
  date_created: at,
}: z.output<typeof Listed>): ReceivedText[] {
  const sender = senderOf(from);
  if (direction !== 'inbound' || sender === '' || Number.isNaN(at.getTime())) return [];
  return [{ id: sid, from: sender, text: body, at }];
}
