import { html } from '@crm/html';

/** A moment as the day it was where the reader is. */
export function showDate(moment: Date | string, timeZone: string) {
  const date = new Date(moment);
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(date);
  return html`<time datetime="${date.toISOString()}">${day}</time>`;
}
