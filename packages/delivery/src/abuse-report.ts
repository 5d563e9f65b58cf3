import { fieldIn, reportedKey, unfolded } from './reported-key.ts';

/** Feedback types by which a recipient refuses e-mails. Other types are about authentication or a virus, or withdraw a report. */
const refusals = ['abuse', 'fraud', 'opt-out', 'opt-out-list'];

/**
 * Reads a report that marks an e-mail as spam (RFC 5965) from the whole e-mail that contains it, and returns the key of the row
 * that was sent. Undefined if this is no such report, or if it does not identify the e-mail.
 */
export function readAbuseReport(mail: string): { readonly key: string } | undefined {
  const text = unfolded(mail);
  // The human-readable part comes before the report and may mention its fields; the reported e-mail comes after it and may
  // contain anything.
  const report = text
    .split(/(?:\r?\n){2,}/)
    .find((paragraph) => fieldIn(paragraph, 'Feedback-Type') && fieldIn(paragraph, 'Version'));
  if (!report) return undefined;
  const type = fieldIn(report, 'Feedback-Type')?.toLowerCase() ?? '';
  const key = refusals.includes(type) ? reportedKey(text) : undefined;
  return key === undefined ? undefined : { key };
}
