import { shortLine } from '@crm/delivery';
import { html } from '@crm/html';
import type { FallbackReason } from '../leads/lead.api.ts';
import type { LeadFacts } from '../leads/lead-facts.ts';
import { addressOf, factsOf, messageOf, priceOf } from '../leads/lead-words.ts';

/** The facts that an alert is written from. */
export interface AlertFacts extends LeadFacts {
  /** The name of the lead's contact. */
  readonly contact: string;
  readonly member: string;
  /** True if the lead was assigned to the member, who does not have to claim it. */
  readonly isAssigned: boolean;
  /** Why the lead went to its creator, in an alert to the creator. */
  readonly fallback_reason: FallbackReason | null;
  /** The page on which the lead can be claimed. */
  readonly link: string;
}

export function emailWords(alert: AlertFacts) {
  const { lead_id, contact, member, isAssigned, link } = alert;
  const address = addressOf(alert);
  const about = shortLine(address === '' ? contact : `${contact}, ${address}`, 150);
  const facts = [['Contact', contact] as const, ...factsOf(alert), ['Lead', String(lead_id)] as const];
  const opening = `Hello ${member}, ${openingOf(alert)}`;
  const message = messageOf(alert);
  const lines = [
    ...facts.map(([label, value]) => `${label}: ${value}`),
    ...(message === '' ? [] : ['', 'Message:', message]),
  ];
  return {
    subject: isAssigned ? `Assigned to you: ${about}` : `New lead: ${about}`,
    text: [opening, '', ...lines, ...(isAssigned ? [] : ['', `Claim it here: ${link}`]), ''].join('\n'),
    html: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${about}</title></head>
<body style="font-family: system-ui, sans-serif; line-height: 1.5">
<p>${opening}</p>
<table cellpadding="4">${facts.map(
      ([label, value]) => html`<tr><th align="left" scope="row">${label}</th><td>${value}</td></tr>`,
    )}</table>
${message === '' ? undefined : html`<p>Message:</p><blockquote style="margin: 0 0 1em; padding-left: 12px; border-left: 3px solid #0b5cad; white-space: pre-line">${message}</blockquote>`}
${
  isAssigned
    ? undefined
    : html`<p><a href="${link}" style="display: inline-block; padding: 12px 24px; border-radius: 6px; background: #0b5cad; color: #ffffff; text-decoration: none">View and claim this lead</a></p>
<p>Or open this link: ${link}</p>`
}
</body>
</html>
`.markup,
  };
}

function openingOf({ isAssigned, fallback_reason }: AlertFacts): string {
  if (fallback_reason) return `a lead that you submitted is now assigned to you. ${reasons[fallback_reason]}`;
  return isAssigned
    ? 'a new lead has been assigned to you. You do not have to claim it.'
    : 'you have been offered a new lead. The first person to claim it gets it.';
}

const reasons: Readonly<Record<FallbackReason, string>> = {
  'Route incomplete': 'Its lead route names a team, a campaign or a contact source that no longer exists.',
  'No team for zip code': 'None of your teams has its zip code.',
  'Nobody to offer it to': 'It cannot be offered to anybody in its team.',
  'Nobody claimed it': 'No member of its team has claimed it.',
};

/** A short text for a phone. `readReply` must understand the reply that it asks for. */
export function textWords(alert: AlertFacts): string {
  const { lead_id, contact, isAssigned, link } = alert;
  const what = inShort(alert).map((part) => shortLine(part, 60));
  const about = [shortLine(contact, 40), ...what, ...quoted(alert, 60)].join(', ');
  if (isAssigned) return `Lead ${lead_id} has been assigned to you: ${about}. Text STOP to opt out.`;
  return `New lead ${lead_id}: ${about}. Reply CLAIM ${lead_id} to claim it, or open ${link} (text STOP to opt out)`;
}

/** The words of a call. It asks for a key only if the lead has to be claimed. */
export function callWords(alert: AlertFacts): string {
  const { member, contact, isAssigned } = alert;
  const about = [contact, ...inShort(alert), ...quoted(alert, 200)].join(', ');
  if (isAssigned) return `Hello ${member}. A new lead has been assigned to you: ${about}.`;
  return `Hello ${member}. You have been offered a new lead: ${about}. Press 1 to claim it.`;
}

/** The beginning of the enquirer's message. Quotation marks set it apart from the instructions of the alert. */
function quoted(alert: LeadFacts, limit: number): string[] {
  const message = shortLine(messageOf(alert).replaceAll('"', "'"), limit);
  return message === '' ? [] : [`"${message}"`];
}

function inShort(alert: LeadFacts): string[] {
  const { source } = alert;
  const from = shortLine(source ?? '', 40);
  return [addressOf(alert), shortLine(priceOf(alert), 40), from && `from ${from}`].filter(Boolean);
}
