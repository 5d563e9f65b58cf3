import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import type { ImportView } from './import.api.ts';
import { visibleImports } from './import.policy.ts';

const ImportSchema = defineEntity({
  name: 'Import',
  tableName: 'imports',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    user_id: p.integer(),
    /** The origin of the request: the broker who acted, the access token, and the request id. */
    origin: p.json<object>(),
    name: p.string().nullable(),
    type: p.string().$type<ImportView['type']>(),
    status: p.string().$type<ImportView['status']>(),
    /** Whether it waits until its columns are confirmed. */
    is_held: p.boolean(),
    dry_run: p.boolean(),
    duplicates: p.string(),
    match: p.string(),
    create_missing: p.boolean(),
    tags: p.string().nullable(),
    assigned_user_id: p.integer().nullable(),
    mapping: p.json<object>(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
    ended_at: p.datetime().nullable(),
  },
  filters: visibleBy(visibleImports),
});

/** A file of contacts. Its contents and progress are read and written in portions, and not with the entity. */
export class Import extends ImportSchema.class {}
ImportSchema.setClass(Import);
