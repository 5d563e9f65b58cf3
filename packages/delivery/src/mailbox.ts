/** Somebody with an e-mail address, as the header of an e-mail names them. */
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
  return faultOfMailbox(mailbox) ? undefined : mailbox;
}

/** Why a mailbox cannot be written into a header, or undefined when it can. */
export function faultOfMailbox({ name, address }: Mailbox): string | undefined {
  if (name !== undefined && breaksHeader(name))
    return 'A name has a line break or another control character.';
  if (address.length > 254 || !addressForm.test(address)) return 'This is not one e-mail address.';
  return undefined;
}

/** Whether a text could end the line of its header and begin one of its own. */
export function breaksHeader(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

// One address and nothing else: no comment, no group, no list, no quoted local part. Strict, because an
// address parser reads more into these characters than a person does.
const word = String.raw`[^\s\p{C}@<>()\[\]\\,;:"]+`;
const addressForm = new RegExp(`^${word}@[\\p{L}\\p{N}](?:[\\p{L}\\p{N}.-]*[\\p{L}\\p{N}])?$`, 'u');
