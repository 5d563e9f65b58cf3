import { repeat, type Worker } from '@crm/service';
import { writeKeptMessages } from './sent-message.queries.ts';

const everyMs = 10_000;

/** Records when contacts were sent messages, for messages that were sent in great numbers. Any number of instances may run. */
export const keptMessagesWorker: Worker = async ({ database: { query }, log }) =>
  repeat(
    'note messages to contacts',
    everyMs,
    async () => {
      while (await writeKeptMessages(query));
    },
    log,
  );
