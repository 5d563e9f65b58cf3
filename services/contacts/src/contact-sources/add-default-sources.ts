import { system } from '@crm/auth';
import { queryIn } from '@crm/data';
import { contactSourceCreated } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { defaultSourceNames } from './contact-source.api.ts';
import { ContactSource } from './contact-source.entity.ts';
import { hasDefaultSources, markDefaultSources } from './contact-source.queries.ts';
import { eventData } from './contact-source-event-data.ts';

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
  for (const source of sources)
    publish({ em, requestId, now, actor: system }, contactSourceCreated, source, eventData(source));
}

/** The same before a read. The event of the account may arrive later than the first request of its user. */
export async function demandDefaultSources({ query, em, requestId, now, user }: Context): Promise<void> {
  if (await hasDefaultSources(query, user.id)) return;
  await em.transactional((tx) => addDefaultSources({ em: tx, requestId, now }, user.id));
}
