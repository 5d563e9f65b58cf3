import { readMergeFields, render } from '@crm/merge-fields';
import { smsSegments } from './sms-segments.ts';

export interface CheckedTemplate {
  readonly template_type: string;
  readonly subject: string | null;
  readonly body: string | null;
}

/** What its author should look at before it is sent, in sentences for people. Nothing of it is an error. */
export function checkTemplate({ template_type, subject, body }: CheckedTemplate): string[] {
  return [
    ...unknownFields('subject', subject ?? ''),
    ...unknownFields('body', body ?? ''),
    ...(template_type === 'Email' && isBlank(subject) ? ['The e-mail has no subject.'] : []),
    ...(isBlank(body) ? ['The body is empty.'] : []),
    ...(template_type === 'Text' ? severalMessages(body ?? '') : []),
  ];
}

const isBlank = (text: string | null) => (text ?? '').trim() === '';

/** Of very many the first ones tell enough. */
const named = 10;

function unknownFields(where: string, text: string): string[] {
  const { unknown } = readMergeFields(text);
  const told = unknown
    .slice(0, named)
    .map((name) => `The ${where} asks for {{${name}}}, which is no merge field; nothing will stand there.`);
  const others = unknown.length - told.length;
  return others > 0 ? [...told, `The ${where} asks for ${others} more that are no merge fields.`] : told;
}

/** Counted without what merge fields will become, which differs from contact to contact. */
function severalMessages(body: string): string[] {
  const { known, unknown } = readMergeFields(body);
  const segments = smsSegments(render(body, {}, { html: false }).text);
  if (segments === 1) return [];
  const least = known.length + unknown.length > 0 ? 'at least ' : '';
  return [`The text is sent as ${least}${segments} messages.`];
}
