import { keyHeader } from './key.ts';

/** A report with each field in one line; long ones are folded. */
export const unfolded = (mail: string): string => mail.replace(/\r?\n[ \t]+/g, ' ');

/** The first field with a name. */
export const fieldIn = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}:[ \t]*(\\S[^\r\n]*)`, 'im').exec(text)?.[1]?.trim();

/** A server that sends the e-mail on may give it ids of its own, even ones that look like a key, but keeps other headers. */
export const reportedKey = (text: string): string | undefined =>
  keyIn(fieldIn(text, keyHeader)) ?? keyIn(fieldIn(text, 'Original-Envelope-Id')) ?? messageKeyIn(text);

/** The e-mail that is reported about comes after the report, so that its id is the last one of ours. */
const messageKeyIn = (text: string): string | undefined =>
  [...text.matchAll(/^Message-ID:[ \t]*<([^>\r\n]{1,250})>/gim)]
    .map(([, id]) => keyIn(id))
    .findLast((key) => key !== undefined);

const keyIn = (text: string | undefined): string | undefined =>
  /^<?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[@>]|$)/i.exec(text ?? '')?.[1]?.toLowerCase();
