import type { DeliveryConfig } from '@crm/delivery';
import { html } from '@crm/html';
import { textOfHtml } from './text-of-html.ts';

/** The URL at which the recipient of an e-mail unsubscribes. Without a key, as in a preview, it leads nowhere. */
export const unsubscribeUrlOf = ({ publicUrl }: Pick<DeliveryConfig, 'publicUrl'>, key = ''): string =>
  `${publicUrl}/unsubscribe/${key}`;

/**
 * The visible body of an e-mail: the author's text, followed by an unsubscribe link, unless the text shows one, and by the
 * operator's postal address, if known. Laws require both.
 */
export function emailBody(written: string, unsubscribeUrl: string, postalAddress?: string) {
  const isShownIn = (body: string) => textOfHtml(body).includes(unsubscribeUrl);
  const link = html`<p>Unsubscribe: <a href="${unsubscribeUrl}">${unsubscribeUrl}</a></p>`;
  const ending = html`${!isShownIn(written) && link}${postalAddress && html`<p>${postalAddress}</p>`}`.markup;
  const after = withEnding(written, ending);
  // A comment or an element that the author has not closed would hide the ending.
  const body = isShownIn(after) ? after : ending + written;
  return { html: body, text: textOfHtml(body) };
}

function withEnding(written: string, ending: string): string {
  const end = written.search(/(?:<\/body\s*>\s*)?(?:<\/html\s*>\s*)?$/i);
  return written.slice(0, end) + ending + written.slice(end);
}
