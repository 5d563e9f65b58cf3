/** A name and an e-mail address, as in a header of an e-mail. */
export interface Mailbox {
  readonly name?: string;
  readonly address: string;
}

/**
 * Reads `Name <address>` or an address alone; undefined for anything else, such as two addresses.
 */
export function readMailbox(text: string): Mailbox | undefined {
  const named = /^(?:"(?<quoted>[^"\\]*)"|(?<plain>[^"<>]*?))\s*<(?<address>[^<>]*)>$/.exec(
    text.trim(),
  )?.groups;
  const mailbox = named
    ? { name: named.quoted ?? named.plain ?? '', address: named.address ?? '' }
    : { address: text.trim() };
  return mailboxError(mailbox) ? undefined : mailbox;
}

/** Why a mailbox cannot be written into a header; undefined if it can. */
export function mailboxError({ name, address }: Mailbox): string | undefined {
  if (name !== undefined && breaksHeader(name))
    return 'A name contains a line break or another control character.';
  if (address.length > 254 || !addressForm.test(address)) return 'This is not one e-mail address.';
  return undefined;
}

/** A text in one line: without characters that could end its header and start another. */
export const inOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');

/** Whether a text could end its header and start another. */
export const breaksHeader = (text: string): boolean => inOneLine(text) !== text;

// A single address: no comment, group, list or quoted local part. Strict, because address parsers give these characters more
// meanings than people expect.
const word = String.raw`[^\s\p{C}@<>()\[\]\\,;:"]+`;
const addressForm = new RegExp(`^${word}@[\\p{L}\\p{N}](?:[\\p{L}\\p{N}.-]*[\\p{L}\\p{N}])?$`, 'u');
