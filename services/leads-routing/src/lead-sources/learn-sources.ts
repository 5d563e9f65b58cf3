import { defaultSourceNames } from '@crm/contacts/api';
import { type Context, refusalIn } from '@crm/service';
import { contacts } from '../peers.ts';
import { addMissingSources } from './lead-source.queries.ts';

/** Older ones have arrived as events long ago. */
const newest = { $sort: { id: -1 }, $limit: 100, $select: ['name'] } as const;

/**
 * Adds the lead sources whose events have not arrived yet, so that users find them with the request after the one that
 * made their account or a contact source. While contacts is unavailable, the sources that are known have to do.
 */
export async function learnSources(ctx: Context): Promise<void> {
  const names = await newestNames(ctx);
  await addMissingSources(ctx.query, ctx.user.id, [...defaultSourceNames, ...names]);
}

async function newestNames(ctx: Context): Promise<string[]> {
  try {
    const { data } = await contacts.onBehalf(ctx).contactSources.find(newest);
    return data.map(({ name }) => name).reverse();
  } catch (error) {
    if (refusalIn(error)?.name === 'Unavailable') return [];
    throw error;
  }
}
