/**
 * Returns the key. Throws for one that is not valid in a Message-ID (RFC 5322) and in an HTTP header: up to 200 letters,
 * digits, `-`, `_` and `/`, with single dots between them.
 */
export function checkedKey(key: string): string {
  if (key.length > 200 || !/^[\w/-]+(\.[\w/-]+)*$/.test(key)) {
    throw new TypeError(`"${key}" cannot be the key of a message.`);
  }
  return key;
}

/** A Message-ID that depends only on the key and the sender, so that a message sent twice is recognized as one. */
export function messageIdOf(key: string, senderAddress: string): string {
  return `<${checkedKey(key)}@${senderAddress.slice(senderAddress.lastIndexOf('@') + 1)}>`;
}

/** The header with the key, for reports by servers that replace the Message-ID of what they send. */
export const keyHeader = 'X-Message-Key';
