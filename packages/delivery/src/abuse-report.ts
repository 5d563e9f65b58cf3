import { fieldIn, reportedKey, unfolded } from './reported-key.ts';

/** Reports by which somebody refuses e-mails. Others are about authentication or a virus, or take a report back. */
const refusals = ['abuse', 'fraud', 'opt-out', 'opt-out-list'];

/**
 * Reads a report that somebody calls an e-mail spam (RFC 5965), as the whole e-mail that contains it: the key of the row that was
 * sent. Undefined if it is none, or does not say which e-mail it is about.
 */
export function readAbuseReport(mail: string): { readonly key: string } | undefined {
  const text = unfolded(mail);
  // Words for people come before the report, and may name one of its fields; the e-mail comes after it, and may contain anything.
  const report = text
    .split(/(?:\r?\n){2,}/)
    .find((paragraph) => fieldIn(paragraph, 'Feedback-Type') && fieldIn(paragraph, 'Version'));
  if (!report) return undefined;
  const type = fieldIn(report, 'Feedback-Type')?.toLowerCase() ?? '';
  const key = refusals.includes(type) ? reportedKey(text) : undefined;
  return key === undefined ? undefined : { key };
}
