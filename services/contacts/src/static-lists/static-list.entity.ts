import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleStaticLists } from './static-list.policy.ts';

const StaticListSchema = defineEntity({
  name: 'StaticList',
  tableName: 'static_lists',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    list_name: p.string(),
    owner_user_id: p.integer(),
    has_custom_audience: p.integer(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
    /** Until a worker has deleted the rows of its contacts. */
    removed_at: p.datetime().nullable(),
  },
  filters: visibleBy(visibleStaticLists),
});

/** A list of contacts that a user has put together. */
export class StaticList extends StaticListSchema.class {}
StaticListSchema.setClass(StaticList);
