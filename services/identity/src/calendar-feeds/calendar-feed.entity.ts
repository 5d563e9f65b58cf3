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
 * The link under which a user's calendar program reads the user's tasks: whoever has it reads them, until it is
 * revoked. A user has one at most, and what is stored of it cannot be used.
 */
export class CalendarFeed extends CalendarFeedSchema.class {}
CalendarFeedSchema.setClass(CalendarFeed);
