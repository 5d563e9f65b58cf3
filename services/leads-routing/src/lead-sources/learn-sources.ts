import { queryIn } from '@crm/data';
import { type Context, refusalIn } from '@crm/service';
import { contacts } from '../peers.ts';
import { newsAmong } from './known-contact-source.queries.ts';
import { noteContactSources } from './note-contact-sources.ts';

/** The facts about older ones have long arrived as events. */
const limit = 100;

/**
 * Fetches contact sources whose events have not arrived yet, so that users find the lead sources right after the
 * request that created their account or a contact source. While contacts is unavailable, only the known ones are used.
 */
export async function learnSources(ctx: Context): Promise<void> {
  const news = await newsAmong(ctx.query, await lastChanged(ctx));
  if (news.length === 0) return;
  await ctx.em.transactional((tx) => noteContactSources(queryIn(tx), ctx.user.id, news));
}

async function lastChanged(ctx: Context) {
  try {
    return await contacts.onBehalf(ctx).contactSources.lastChanged({ limit });
  } catch (error) {
    if (refusalIn(error)?.name === 'Unavailable') return [];
    throw error;
  }
}
