import { system } from '@crm/auth';
import { queryIn } from '@crm/data';
import { defaultSourcesCreated } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { defaultSourceNames } from './contact-source.api.ts';
import { ContactSource } from './contact-source.entity.ts';
import { hasDefaultSources, markDefaultSources } from './contact-source.queries.ts';

type Origin = Pick<Context, 'em' | 'requestId' | 'now'>;

/**
 * Adds the default sources of an account, in the transaction of `em`. Does so once, so that a source that its user has
 * renamed or removed does not come back.
 */
export async function addDefaultSources({ em, requestId, now }: Origin, user_id: number): Promise<void> {
  if (!(await markDefaultSources(queryIn(em), user_id))) return;
  const times = { created_at: now(), modified_at: now() };
  const sources = defaultSourceNames.map((name) => em.create(ContactSource, { name, user_id, ...times }));
  await em.flush();
  const origin = { em, requestId, now, actor: system };
  const added = sources.map(({ id, name }) => ({ contact_source_id: id, name }));
  publish(origin, defaultSourcesCreated, { id: user_id, version: 1 }, { user_id, sources: added });
}

/**
 * Adds the default sources before a read, because the event of the new account may arrive after the first request of its user.
 */
export async function demandDefaultSources({ query, em, requestId, now, user }: Context): Promise<void> {
  if (await hasDefaultSources(query, user.id)) return;
  await em.transactional((tx) => addDefaultSources({ em: tx, requestId, now }, user.id));
}
