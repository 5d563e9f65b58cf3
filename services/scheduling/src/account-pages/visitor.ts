import { visitorsBy } from '@crm/html';
import type { Context } from '@crm/service';
import { identity } from '../peers.ts';

export const { visitorOf, submitterOf } = visitorsBy((ctx: Context, asked) =>
  identity.asSystem(ctx).visitors.read(asked),
);
