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
    /** Since then no contact shows it. The row goes later, with what may be very many rows that refer to it. */
    removed_at: p.datetime().nullable(),
  },
  filters: visibleBy(visibleTags),
});

/** A word or two by which a user sorts contacts. */
export class Tag extends TagSchema.class {}
TagSchema.setClass(Tag);
