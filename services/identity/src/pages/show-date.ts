import { html } from '@crm/html';

/** The date of a moment in the time zone of the reader. */
export function showDate(moment: Date | string, timeZone: string) {
  const date = new Date(moment);
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(date);
  return html`<time datetime="${date.toISOString()}">${day}</time>`;
}
