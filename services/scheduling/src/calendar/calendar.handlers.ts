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
    if (!reader) return noCalendar;
    const body = calendarOf(
      await readCalendar(ctx.query, { id: reader.user_id }),
      ctx.now().getUTCFullYear(),
    );
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const cached = { ...always, etag, 'cache-control': 'private, no-cache' };
    if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: cached, body: '' };
    const type = 'text/calendar; charset=utf-8';
    const disposition = 'inline; filename="tasks.ics"';
    return {
      status: 200,
      headers: { ...cached, 'content-type': type, 'content-disposition': disposition },
      body,
    };
  },
});

/** The link is a secret, and must not leak as a referrer. */
const always = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

const noCalendar: WebAnswer = {
  status: 404,
  headers: { ...always, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'This calendar does not exist. Its link was revoked, or is incomplete.\n',
};

/** Whether the client already has this text (RFC 9110, section 13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
