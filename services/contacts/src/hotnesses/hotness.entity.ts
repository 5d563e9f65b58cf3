import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleHotnesses } from './hotness.policy.ts';

const HotnessSchema = defineEntity({
  name: 'Hotness',
  tableName: 'hotnesses',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    rank: p.integer().nullable(),
    user_id: p.integer(),
    name: p.string().nullable(),
    color: p.string().nullable(),
    /** Hidden since then, on contacts too. The row is deleted when no contact has its id. */
    removed_at: p.datetime().nullable(),
  },
  filters: visibleBy(visibleHotnesses),
});

/** A level on a user's scale of how promising contacts are. */
export class Hotness extends HotnessSchema.class {}
HotnessSchema.setClass(Hotness);
