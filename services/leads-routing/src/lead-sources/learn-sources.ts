import { queryIn } from '@crm/data';
import { type Context, refusalIn } from '@crm/service';
import { contacts } from '../peers.ts';
import { newsAmong } from './known-contact-source.queries.ts';
import { noteContactSources } from './note-contact-sources.ts';

/** Facts about older ones have arrived as events long ago. */
const limit = 100;

/**
 * Learns of contact sources whose events have not arrived yet, so that users find the lead sources with the request after
 * the one that made their account or a contact source. While contacts is unavailable, those that are known have to do.
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
