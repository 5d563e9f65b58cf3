import type { Report } from '../command-line.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { idOr } from '../system/id-or.ts';

export async function createCalendar(env: NodeJS.ProcessEnv, user: string): Promise<Report> {
  const feed = await askIdentity(env, (identity) => identity.calendarFeeds.create({ user: idOr(user) }));
  return {
    json: feed,
    text: `${feed.url}\n\nAnybody with this link can read the open tasks of user ${feed.user_id}. It is shown only once.`,
  };
}

export async function revokeCalendar(env: NodeJS.ProcessEnv, user: string): Promise<Report> {
  const feed = await askIdentity(env, (identity) => identity.calendarFeeds.remove({ user: idOr(user) }));
  return { json: feed, text: `Revoked the calendar link of user ${feed.user_id}.` };
}
