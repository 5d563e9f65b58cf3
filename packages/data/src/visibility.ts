import { type Actor, isUser, type Rule, type User } from '@crm/auth';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';

/** A function, because each fork deep-copies parameters, and an actor knows many people. */
interface Parameters {
  readonly actorOf: () => Actor;
}

/** The visibility rule for an actor. The system sees everything. */
export const ruleFor = (actor: Actor, rule: (user: User) => Rule): Rule => (isUser(actor) ? rule(actor) : {});

/** The visibility rule of rows that are read only through a record that the actor sees. */
export const throughParent = (): Rule => ({});

/** Adds a visibility rule to every read and bulk write of an entity. */
export function visibleBy(rule: (user: User) => Rule) {
  const cond = ({ actorOf }: Parameters) => ruleFor(actorOf(), rule);
  return { visible: { name: 'visible', cond, default: true } };
}

/** The filter of one query for somebody other than the actor of its entity manager. */
export const visibleTo = (actor: Actor): { readonly visible: Parameters } => ({
  visible: { actorOf: () => actor },
});

/** The only way to access entities: on behalf of an actor. Without one, every query of a guarded entity throws. */
export function emFor(orm: MikroORM, actor: Actor): EntityManager {
  const em = orm.em.fork();
  em.setFilterParams('visible', visibleTo(actor).visible);
  return em;
}
