export { CloudEvent } from './cloud-event.ts';
export { defineEvent, type EventName, type EventType, subjectOf } from './define-event.ts';
