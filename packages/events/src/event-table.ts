import { consumersOf, type Listening } from './consumers.ts';
import type { EventType } from './define-event.ts';

/** The events and those who hear of them as a table in Markdown, with a row for each event. */
export function eventTable(events: readonly EventType[], listenings: readonly Listening[]): string {
  const rows = events.map((event) => {
    const consumers = consumersOf(event, listenings).map(({ service, effect }) => `${service}: ${effect}`);
    return row(`\`${event.name}\``, event.summary, consumers.join('; '));
  });
  return [row('Event', 'Said when', 'ReceivedEvent by'), '|---|---|---|', ...rows].join('\n');
}

const row = (...cells: readonly string[]) => `|${cells.map((cell) => cell && ` ${cell}`).join(' |')} |`;
