export { asyncApiDocument } from './asyncapi.ts';
export { eventTable } from './event-table.ts';
export type { Listening } from './hearers.ts';
