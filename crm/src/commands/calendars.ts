import type { Report } from '../command-line.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { idOr } from '../system/id-or.ts';

export async function createCalendar(env: NodeJS.ProcessEnv, user: string): Promise<Report> {
  const made = await askIdentity(env, (identity) => identity.calendarFeeds.create({ user: idOr(user) }));
  return {
    json: made,
    text: `${made.url}\n\nWhoever has this link can read the open tasks of user ${made.user_id}. It is shown this once.`,
  };
}

export async function revokeCalendar(env: NodeJS.ProcessEnv, user: string): Promise<Report> {
  const ended = await askIdentity(env, (identity) => identity.calendarFeeds.remove({ user: idOr(user) }));
  return { json: ended, text: `The calendar of user ${ended.user_id} has no link any more.` };
}
