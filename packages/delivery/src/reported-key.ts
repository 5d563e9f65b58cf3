import { keyHeader } from './key.ts';

/** The report with each folded field joined into one line. */
export const unfolded = (mail: string): string => mail.replace(/\r?\n[ \t]+/g, ' ');

/** The first field with a name. */
export const fieldIn = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \t]*(\\S[^\r\n]*)`, 'im').exec(text)?.[1]?.trim();

/** A relaying server may give the e-mail ids of its own, even ones that look like a key, but keeps other headers. */
export const reportedKey = (text: string): string | undefined =>
  keyIn(fieldIn(text, keyHeader)) ?? keyIn(fieldIn(text, 'Original-Envelope-Id')) ?? messageKeyIn(text);

/** The reported e-mail comes after the report, so its id is our last one in the text. */
const messageKeyIn = (text: string): string | undefined =>
  [...text.matchAll(/^Message-ID:[ \t]*<([^>\r\n]{1,250})>/gim)]
    .map(([, id]) => keyIn(id))
    .findLast((key) => key !== undefined);

const keyIn = (text: string | undefined): string | undefined =>
  /^<?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[@>]|$)/i.exec(text ?? '')?.[1]?.toLowerCase();
