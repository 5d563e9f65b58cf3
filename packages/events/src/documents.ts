export { asyncApiDocument } from './asyncapi.ts';
export type { EventConsumer } from './consumers.ts';
export { eventTable } from './event-table.ts';
