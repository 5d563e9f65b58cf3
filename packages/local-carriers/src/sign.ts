import { createHmac } from 'node:crypto';

/**
 * X-Twilio-Signature of a callback. Written from the provider's description and not shared with the code that
 * checks it, which would otherwise agree with any mistake of its own.
 */
export function signed(url: string, form: Record<string, string>, authToken: string): string {
  const names = Object.keys(form).sort();
  const text = url + names.map((name) => name + form[name]).join('');
  return createHmac('sha1', authToken).update(text).digest('base64');
}
