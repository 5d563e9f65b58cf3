import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleTags } from './tag.policy.ts';

const TagSchema = defineEntity({
  name: 'Tag',
  tableName: 'tags',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    user_id: p.integer(),
    content: p.string(),
    /** Hidden since then. The row is deleted later, with the rows that refer to it, which may be very many. */
    removed_at: p.datetime().nullable(),
  },
  filters: visibleBy(visibleTags),
});

/** A label with which a user groups contacts. */
export class Tag extends TagSchema.class {}
TagSchema.setClass(Tag);
