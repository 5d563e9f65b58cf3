import { mergeValuesOf, render, renderSubject } from '@crm/merge-fields';
import type { CommunicationType } from './communication-type.api.ts';

/** What a template said when it was pinned. */
interface Pinned {
  readonly type: CommunicationType;
  readonly template_subject?: string | null | undefined;
  readonly body?: string | null | undefined;
}

type Recipient = Parameters<typeof mergeValuesOf>[0];
type Sender = Parameters<typeof mergeValuesOf>[1];

export interface Message {
  readonly subject: string;
  /** Of an e-mail, HTML; of all else, text. */
  readonly body: string;
  /** Names that are no merge fields; in their place is no text. */
  readonly unknown: readonly string[];
  /** Merge fields without a value here; in their place is no text. */
  readonly empty: readonly string[];
}

/** What a communication says to this contact from this user, to the letter. Without a template it says nothing. */
export function messageOf({ type, template_subject, body }: Pinned, to: Recipient, from: Sender): Message {
  const values = mergeValuesOf(to, from);
  const subject = renderSubject(template_subject ?? '', values);
  const text = render(body ?? '', values, { html: type === 'Email Contact' });
  return {
    subject: subject.text,
    body: text.text,
    unknown: [...new Set([...subject.unknown, ...text.unknown])],
    empty: [...new Set([...subject.empty, ...text.empty])],
  };
}
