import { consumersOf, type EventConsumer } from './consumers.ts';
import type { EventType } from './define-event.ts';

/** The events and their consumers as a table in Markdown, with a row for each event. */
export function eventTable(events: readonly EventType[], consumers: readonly EventConsumer[]): string {
  const rows = events.map((event) => {
    const effects = consumersOf(event, consumers).map(({ service, effect }) => `${service}: ${effect}`);
    return row(`\`${event.name}\``, event.summary, effects.join('; '));
  });
  return [row('Event', 'Published when', 'Consumed by'), '|---|---|---|', ...rows].join('\n');
}

const row = (...cells: readonly string[]) => `|${cells.map((cell) => cell && ` ${cell}`).join(' |')} |`;
