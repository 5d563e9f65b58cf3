import type { Actor } from '@crm/auth';
import { type Binds, sqlOfFilter, sqlOfRule } from '@crm/query';
import type { ReadModel } from './read-model.ts';
import { ruleFor } from './visibility.ts';

type Model = Pick<ReadModel, 'columns' | 'visible'>;

/** SQL for whether the actor sees a record of a model. */
export const sqlOfVisible = ({ columns, visible }: Model, actor: Actor, binds: Binds): string =>
  sqlOfRule(ruleFor(actor, visible), columns, binds);

/** The same for records that other conditions find, which the planner then does not look for by who sees them. */
export const filterOfVisible = ({ columns, visible }: Model, actor: Actor, binds: Binds): string =>
  sqlOfFilter(ruleFor(actor, visible), columns, binds);
