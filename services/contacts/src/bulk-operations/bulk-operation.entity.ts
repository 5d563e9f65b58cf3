import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import type { BulkOperationView } from './bulk-operation.api.ts';
import { visibleBulkOperations } from './bulk-operation.policy.ts';

const BulkOperationSchema = defineEntity({
  name: 'BulkOperation',
  tableName: 'bulk_operations',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    user_id: p.integer(),
    /** The origin of the request: the broker who acted, the access token, and the request id. */
    origin: p.json<object>(),
    action: p.string(),
    parameters: p.json<object>(),
    status: p.string().$type<BulkOperationView['status']>(),
    total: p.integer(),
    processed: p.integer(),
    failed: p.integer(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
    ended_at: p.datetime().nullable(),
  },
  filters: visibleBy(visibleBulkOperations),
});

/** An action on many contacts, whose ids are read in portions and not with the entity. */
export class BulkOperation extends BulkOperationSchema.class {}
BulkOperationSchema.setClass(BulkOperation);
