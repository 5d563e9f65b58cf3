import { html } from '@crm/html';
import { factsOf, type LeadFacts, oneLine, placeOf } from './lead-words.ts';

/** What an alert says. */
export interface AlertFacts extends LeadFacts {
  /** Whom the lead is about. */
  readonly contact: string;
  readonly member: string;
  /** The lead is the member's already, without a claim. */
  readonly isAssigned: boolean;
  /** Where it is claimed. */
  readonly link: string;
}

export function emailWords(alert: AlertFacts) {
  const { lead_id, contact, member, isAssigned, link } = alert;
  const place = placeOf(alert);
  const about = oneLine(place === '' ? contact : `${contact}, ${place}`, 150);
  const facts = [['Contact', contact] as const, ...factsOf(alert), ['Lead', String(lead_id)] as const];
  const opening = isAssigned
    ? `Hello ${member}, a lead was assigned to you. It is yours; there is nothing to claim.`
    : `Hello ${member}, a lead is offered to you. Whoever claims it first gets it.`;
  const lines = facts.map(([label, value]) => `${label}: ${value}`);
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
${
  isAssigned
    ? undefined
    : html`<p><a href="${link}" style="display: inline-block; padding: 12px 24px; border-radius: 6px; background: #0b5cad; color: #ffffff; text-decoration: none">See and claim the lead</a></p>
<p>Or open ${link}</p>`
}
</body>
</html>
`.markup,
  };
}

/** A few lines for a phone. The words that claim a lead are read by `readReply`. */
export function textWords(alert: AlertFacts): string {
  const { lead_id, contact, isAssigned, link } = alert;
  const what = inShort(alert).map((part) => oneLine(part, 60));
  const about = [oneLine(contact, 40), ...what].join(', ');
  if (isAssigned) return `Lead ${lead_id} was assigned to you: ${about}. STOP ends texts.`;
  return `Lead ${lead_id}: ${about}. Reply CLAIM ${lead_id} to get it, or open ${link} (STOP ends texts)`;
}

/** What a call says. A key is pressed only for a lead that is to be claimed. */
export function callWords(alert: AlertFacts): string {
  const { member, contact, isAssigned } = alert;
  const about = [contact, ...inShort(alert)].join(', ');
  if (isAssigned) return `Hello ${member}. A lead was assigned to you: ${about}.`;
  return `Hello ${member}. A lead is offered to you: ${about}. Press 1 to claim it.`;
}

function inShort(alert: LeadFacts): string[] {
  const { listing_price, source } = alert;
  const from = oneLine(source ?? '', 40);
  return [placeOf(alert), oneLine(listing_price ?? '', 40), from && `from ${from}`].filter(Boolean);
}
