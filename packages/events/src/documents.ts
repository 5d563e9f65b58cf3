export { asyncApiDocument } from './asyncapi.ts';
export type { Listening } from './consumers.ts';
export { eventTable } from './event-table.ts';
