/** TwiML that speaks a text and, with a URL, waits for one key and then repeats it. */
export function spoken(text: string, keyPressUrl?: string): string {
  const say = `<Say>${escaped(text)}</Say>`;
  const all =
    keyPressUrl === undefined
      ? say
      : `<Gather numDigits="1" method="POST" action="${escaped(keyPressUrl)}">${say}</Gather>${say}`;
  return response(all);
}

const response = (inner: string) => `<?xml version="1.0" encoding="UTF-8"?><Response>${inner}</Response>`;

/** TwiML that does not reply to a text. */
export const noReply = response('');

/** For text and for attributes. Characters that XML 1.0 does not allow are left out. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
