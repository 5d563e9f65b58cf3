import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleCustomFields } from './custom-field.policy.ts';

const CustomFieldSchema = defineEntity({
  name: 'CustomField',
  tableName: 'custom_fields',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    user_id: p.integer(),
    name: p.string(),
    rank: p.integer(),
    data_type: p.string(),
    /** Until a worker has deleted the rows of its contacts. */
    removed_at: p.datetime().nullable(),
  },
  filters: visibleBy(visibleCustomFields),
});

/** A field that a user has added to contacts. */
export class CustomField extends CustomFieldSchema.class {}
CustomFieldSchema.setClass(CustomField);
