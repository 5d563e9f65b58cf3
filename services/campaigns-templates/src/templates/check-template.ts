import { readMergeFields, render } from '@crm/merge-fields';
import { smsSegments } from './sms-segments.ts';

export interface CheckedTemplate {
  readonly template_type: string;
  readonly subject: string | null;
  readonly body: string | null;
}

/** The fields that warnings are computed from. */
export const checkedFields = ['template_type', 'subject', 'body'] satisfies (keyof CheckedTemplate)[];

/** Returns sentences about what the author should check before the template is sent. Warnings are not errors. */
export function checkTemplate(template: Partial<CheckedTemplate>): string[] {
  const { template_type } = template;
  const [subject, body] = [template.subject ?? '', template.body ?? ''];
  return [
    ...unknownFields('subject', subject),
    ...unknownFields('body', body),
    ...blankLink('subject', subject),
    ...(template_type === 'Email' ? [] : blankLink('body', body)),
    ...(template_type === 'Email' && isBlank(subject) ? ['The e-mail has no subject.'] : []),
    ...(isBlank(body) ? ['The body is empty.'] : []),
    ...(template_type === 'Text' ? [...severalMessages(body), ...missingInText(body)] : []),
  ];
}

const isBlank = (text: string) => text.trim() === '';

/** The first few are enough for an author to see the mistake. */
const namedLimit = 10;

function unknownFields(where: string, text: string): string[] {
  const { unknown } = readMergeFields(text);
  const warnings = unknown
    .slice(0, namedLimit)
    .map((name) => `The ${where} contains {{${name}}}, which is not a merge field. It will be left blank.`);
  const others = unknown.length - warnings.length;
  return others > 0 ? [...warnings, `The ${where} contains ${others} more unknown merge fields.`] : warnings;
}

const names: readonly string[] = ['user.first_name', 'user.last_name', 'user.full_name'];

/**
 * Carriers require these in the texts of a campaign. They are only warnings: another text may contain them, or the
 * author may have written them without a merge field.
 */
function missingInText(body: string): string[] {
  if (isBlank(body)) return [];
  return [
    ...(/\bstop\b/i.test(body)
      ? []
      : ['The text does not say how to stop the texts, as in: Reply STOP to end.']),
    ...(readMergeFields(body).known.some((field) => names.includes(field))
      ? []
      : ['The text does not contain the name of its sender, such as {{user.full_name}}.']),
  ];
}

const blankLink = (where: string, text: string): string[] =>
  readMergeFields(text).known.includes('unsubscribe_url')
    ? [
        `The ${where} contains {{unsubscribe_url}}, which has a value only in the body of an e-mail. It will be left blank.`,
      ]
    : [];

/** Counts the text without the values of merge fields, which differ between contacts. */
function severalMessages(body: string): string[] {
  const { known, unknown } = readMergeFields(body);
  const segments = smsSegments(render(body, {}, { html: false }).text);
  if (segments === 1) return [];
  const least = known.length + unknown.length > 0 ? 'at least ' : '';
  return [`The text will be sent as ${least}${segments} messages.`];
}
