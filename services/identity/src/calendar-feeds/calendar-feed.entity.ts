import { defineEntity, p } from '@mikro-orm/core';

const CalendarFeedSchema = defineEntity({
  name: 'CalendarFeed',
  tableName: 'calendar_feeds',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    user_id: p.integer(),
    secret_hash: p.string(),
    created_at: p.datetime(),
  },
});

/**
 * The link with which a calendar program reads a user's tasks. Anybody who has the link can read them until it is
 * revoked. A user has at most one. Only the hash of its secret is stored.
 */
export class CalendarFeed extends CalendarFeedSchema.class {}
CalendarFeedSchema.setClass(CalendarFeed);
