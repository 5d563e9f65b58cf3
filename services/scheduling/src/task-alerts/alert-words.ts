import { type Named, nameOf, shortLine } from '@crm/delivery';

/** The facts in an alert. */
export interface AlertFacts {
  readonly kind: 'Assignment' | 'Reminder';
  readonly assignee: Named;
  readonly owner: Named | undefined;
  readonly contact: Named | undefined;
  readonly description: string;
  readonly notes: string | null;
  /** Local time in `timezone`: `YYYY-MM-DDTHH:MM:SS`. */
  readonly due_local: string | null;
  readonly timezone: string;
  readonly is_all_day: boolean;
}

export function emailWords(alert: AlertFacts) {
  const lines = [
    `Hello ${nameOf(alert.assignee, 'there')}, ${opening(alert)}`,
    '',
    `What: ${alert.description}`,
    `When: ${whenOf(alert)}`,
    ...(alert.contact ? [`Contact: ${nameOf(alert.contact, '(no name)')}`] : []),
    ...(alert.owner ? [`From: ${nameOf(alert.owner, '(no name)')}`] : []),
    ...(alert.notes ? [`Notes: ${alert.notes}`] : []),
    '',
  ];
  return { subject: `${title(alert)}: ${shortLine(alert.description, 120)}`, text: lines.join('\n') };
}

/** Short enough for a phone. */
export function textWords(alert: AlertFacts): string {
  return `${title(alert)}: ${inShort(alert)} (STOP ends texts)`;
}

export function callWords(alert: AlertFacts): string {
  return `Hello ${nameOf(alert.assignee, 'there')}, ${opening(alert)} ${inShort(alert)}.`;
}

const title = ({ kind }: AlertFacts) => (kind === 'Assignment' ? 'New task' : 'Reminder');

const opening = ({ kind, owner }: AlertFacts) =>
  kind === 'Assignment'
    ? `${owner ? nameOf(owner, 'somebody') : 'somebody'} assigned a task to you.`
    : 'this task is due.';

function inShort(alert: AlertFacts): string {
  const contact = alert.contact && `with ${nameOf(alert.contact, 'a contact without a name')}`;
  return [shortLine(alert.description, 200), contact, whenOf(alert)].filter(Boolean).join(', ');
}

/** Local time and zone: `2026-03-02 09:00 (America/New_York)`. */
function whenOf({ due_local, timezone, is_all_day }: AlertFacts): string {
  if (due_local === null) return 'no due time';
  const [day = '', time = ''] = due_local.split('T');
  return is_all_day ? `${day}, all day` : `${day} ${time.slice(0, 5)} (${timezone})`;
}
