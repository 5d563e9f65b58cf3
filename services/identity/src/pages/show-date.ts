import { html } from '@crm/html';

/** The date of a moment in the time zone of the reader. */
export function showDate(moment: Date | string, timeZone: string) {
  return shown(moment, { dateStyle: 'medium', timeZone });
}

/** The date and time of a moment in the time zone of the reader. */
export function showTime(moment: Date | string, timeZone: string) {
  return shown(moment, { dateStyle: 'medium', timeStyle: 'short', timeZone });
}

function shown(moment: Date | string, format: Intl.DateTimeFormatOptions) {
  const date = new Date(moment);
  const words = new Intl.DateTimeFormat('en-US', format).format(date);
  return html`<time datetime="${date.toISOString()}">${words}</time>`;
}
