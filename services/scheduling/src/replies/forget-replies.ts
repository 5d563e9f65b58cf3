import { repeat, type Worker } from '@crm/service';
import { forgetOldReplies } from './reply.queries.ts';

const everyMs = 600_000;

export const forgetRepliesWorker: Worker = async ({ database: { query }, log }) =>
  repeat('forget old replies', everyMs, () => forgetOldReplies(query), log);
