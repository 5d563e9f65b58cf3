import { web } from '@crm/contract';
import { z } from 'zod';

const page = { 'text/html': null } as const;

/** The link in the header of each campaign e-mail. Only its recipient knows it. */
export const unsubscribeApi = {
  show: web({
    rest: 'GET /unsubscribe/:key',
    kind: 'query',
    summary: 'Show a page on which the reader of an e-mail unsubscribes; this changes nothing',
    audience: 'people',
    answers: { 200: page, 404: page },
  }),
  unsubscribe: web({
    rest: 'POST /unsubscribe/:key',
    kind: 'mutation',
    summary: 'Unsubscribe the recipient of an e-mail from campaign e-mails (RFC 8058)',
    audience: 'people',
    body: {
      'application/x-www-form-urlencoded': z.object({ 'List-Unsubscribe': z.literal('One-Click') }),
    },
    answers: { 200: page, 400: page, 404: page },
  }),
};
