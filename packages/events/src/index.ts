export { allEvents } from './all-events.ts';
export * from './campaigns-templates.ts';
export { CloudEvent } from './cloud-event.ts';
export * from './contacts.ts';
export { defineEvent, type EventName, type EventType, subjectOf } from './define-event.ts';
export * from './identity.ts';
export * from './leads-routing.ts';
export * from './scheduling.ts';
export { streamDays } from './stream-days.ts';
