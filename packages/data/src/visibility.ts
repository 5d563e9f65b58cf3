import { type Actor, isUser, type Rule, type User } from '@crm/auth';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';

/** Adds a visibility rule to every read and bulk write of an entity. */
export function visibleBy(rule: (user: User) => Rule) {
  const cond = ({ actor }: { actor: Actor }) => (isUser(actor) ? rule(actor) : {});
  return { visible: { name: 'visible', cond, default: true } };
}

/** The only way to access entities: for an actor. Without one every query of a guarded entity throws. */
export function emFor(orm: MikroORM, actor: Actor): EntityManager {
  const em = orm.em.fork();
  em.setFilterParams('visible', { actor });
  return em;
}
