import type { EventType } from './define-event.ts';
import { hearersOf, type Listening } from './hearers.ts';

/** The events and those who hear of them as a table in Markdown, with a row for each event. */
export function eventTable(events: readonly EventType[], listenings: readonly Listening[]): string {
  const rows = events.map((event) => {
    const hearers = hearersOf(event, listenings).map(({ service, effect }) => `${service}: ${effect}`);
    return row(`\`${event.name}\``, event.summary, hearers.join('; '));
  });
  return [row('Event', 'Said when', 'Heard by'), '|---|---|---|', ...rows].join('\n');
}

const row = (...cells: readonly string[]) => `|${cells.map((cell) => cell && ` ${cell}`).join(' |')} |`;
