import { mergeValuesOf, render, renderSubject } from '@crm/merge-fields';
import type { CommunicationType } from './communication-type.api.ts';

/** The texts of a template as they were at enrolment, and the merge fields in them. */
interface Pinned {
  readonly type: CommunicationType;
  readonly template_subject?: string | null | undefined;
  readonly body?: string | null | undefined;
  /** The URL at which the recipient of an e-mail unsubscribes. */
  readonly unsubscribe_url: string;
}

type Recipient = Parameters<typeof mergeValuesOf>[0];
type Sender = Parameters<typeof mergeValuesOf>[1];

export interface Message {
  readonly subject: string;
  /** HTML in an e-mail, otherwise text. */
  readonly body: string;
  /** Names that are not merge fields; they are replaced with empty text. */
  readonly unknown: readonly string[];
  /** Merge fields without a value; they are replaced with empty text. */
  readonly empty: readonly string[];
}

/**
 * The author's text of a communication from a user to a contact; empty without a template. Only the body of an e-mail can contain
 * the unsubscribe link.
 */
export function messageOf(
  { type, template_subject, body, unsubscribe_url }: Pinned,
  to: Recipient,
  from: Sender,
): Message {
  const values = mergeValuesOf(to, from);
  const subject = renderSubject(template_subject ?? '', values);
  const html = type === 'Email Contact';
  const text = render(body ?? '', html ? { ...values, unsubscribe_url } : values, { html });
  return {
    subject: subject.text,
    body: text.text,
    unknown: [...new Set([...subject.unknown, ...text.unknown])],
    empty: [...new Set([...subject.empty, ...text.empty])],
  };
}
