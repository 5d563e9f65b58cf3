import { createHmac } from 'node:crypto';

/**
 * The X-Twilio-Signature of a callback. Implemented from the provider's documentation, independently of the code that checks it,
 * so that a mistake in either is noticed.
 */
export function signed(url: string, form: Record<string, string>, authToken: string): string {
  const names = Object.keys(form).sort();
  const text = url + names.map((name) => name + form[name]).join('');
  return createHmac('sha1', authToken).update(text).digest('base64');
}
