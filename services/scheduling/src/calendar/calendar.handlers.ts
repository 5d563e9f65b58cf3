import { createHash } from 'node:crypto';
import type { WebAnswer } from '@crm/contract';
import { implement } from '@crm/service';
import { identity } from '../peers.ts';
import { calendarApi } from './calendar.api.ts';
import { calendarOf } from './calendar-of.ts';
import { readCalendar } from './read-calendar.ts';

export const calendarHandlers = implement(calendarApi, {
  get: async (ctx, { params, headers }) => {
    const secret = params.secret ?? '';
    const reader = await identity.asSystem(ctx).calendarFeeds.resolve({ secret: secret.slice(0, 200) });
    if (!reader) return nothingHere;
    const body = calendarOf(await readCalendar(ctx.query, { id: reader.user_id }));
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const kept = { ...always, etag, 'cache-control': 'private, no-cache' };
    if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: kept, body: '' };
    const type = 'text/calendar; charset=utf-8';
    const disposition = 'inline; filename="tasks.ics"';
    return {
      status: 200,
      headers: { ...kept, 'content-type': type, 'content-disposition': disposition },
      body,
    };
  },
});

/** Who has the link must not be told to others by what it leads to. */
const always = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

const nothingHere: WebAnswer = {
  status: 404,
  headers: { ...always, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'There is no calendar here. Its link was revoked, or is not complete.\n',
};

/** Whether the reader has this very text already (RFC 9110, section 13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
