import { Refused } from '@crm/contract';
import type { Known, KnownContacts, Matched } from './known-contacts.ts';
import { optsDestinationsOut } from './opt-contact-out.ts';
import { failed, type Outcome } from './outcome.ts';
import type { ReadyRow } from './read-row.ts';
import { couldBeOne, fullName, isNamed, nameOf, plainName } from './same-name.ts';
import { type Keys, keysOf } from './same-person.ts';
import type { Writer } from './writer.ts';

interface Changing {
  readonly writer: Writer;
  readonly duplicates: 'update' | 'skip' | 'create';
  readonly known: KnownContacts;
  readonly named: Set<number>;
  readonly throwIfStopped: () => void;
}

/** Updates the contact that a row matches, unless the row may be about somebody else. */
export async function changeRow(
  { writer, duplicates, known, named, throwIfStopped }: Changing,
  row: ReadyRow,
  matched: Matched,
): Promise<Outcome> {
  throwIfStopped();
  const ready = isOfPlaceholder(row, matched) ? withWarning(row, ofPlaceholder) : row;
  const { contact } = matched;
  const name = fullName(contact.name);
  const isRenamed = !couldBeOne(plainName(contact.name), plainName(ready.draft));
  const warned = (reason: string) => (isRenamed ? withWarning(ready, reason) : ready);
  if (duplicates === 'skip') return leaveRow(writer, warned(leftFor(name)), matched);
  const keys = keysOf(ready.draft);
  const conflict = () =>
    conflictOf(name, contact.keys, keys) ?? (named.has(contact.id) ? namedBefore(name) : undefined);
  const doubt = doubtAbout(matched) ?? (isRenamed ? conflict() : undefined);
  if (doubt !== undefined) return refusedFor(doubt, writer, ready, contact);
  return updatedBy(warned(`has replaced the name of the contact, which was "${name}"`), async () => {
    await writer.change(contact, ready);
    known.change(contact, keys, nameOf(ready.changes));
    if (isNamed(ready.changes)) named.add(contact.id);
    await optAlikeOut(writer, ready, matched);
  });
}

/** Does not change a contact, but opts it out of the messages that its row names. */
export function leaveRow(
  writer: Writer,
  ready: ReadyRow,
  { contact, alike }: Pick<Matched, 'contact' | 'alike'>,
): Promise<Outcome> {
  if (ready.optOuts.length === 0) return Promise.resolve({ ...ready, kind: 'skipped' });
  return updatedBy(ready, async () => {
    await writer.optOut(contact, ready);
    await optAlikeOut(writer, ready, { alike });
  });
}

/** Far more than one person has. Opting them all out could take longer than a transaction may last. */
const mostAlike = 1_000;

const isOfPlaceholder = ({ optOuts }: ReadyRow, { alike }: Matched): boolean =>
  optOuts.length > 0 && alike.length > mostAlike;

const ofPlaceholder = `opts out only one of the contacts that it could be about, and its numbers and addresses: these are more than ${mostAlike}, so what they have in common is a placeholder`;

/**
 * Opts out everybody else whom a row could be about: a row with an address alone says nothing about which of those who have it,
 * and one person may be several contacts, each with a number of its own.
 */
async function optAlikeOut(writer: Writer, ready: ReadyRow, { alike }: Pick<Matched, 'alike'>) {
  if (alike.length > mostAlike) return;
  for (const one of alike) {
    const { optedOut = [] } = one;
    if (ready.optOuts.every((channel) => optedOut.includes(channel))) continue;
    const refusal = await unlessRefused(() => writer.optOut(one, ready, 'contact'));
    // One that was removed meanwhile gets no messages.
    if (refusal && refusal.name !== 'NotFound') throw refusal;
    one.optedOut = [...optedOut, ...ready.optOuts];
  }
}

/**
 * The outcome of a row that may be about somebody else. It opts out its own numbers and addresses nevertheless: whoever they
 * belong to has refused messages.
 */
async function refusedFor(doubt: string, writer: Writer, ready: ReadyRow, contact: Known): Promise<Outcome> {
  const isOptedOut =
    optsDestinationsOut(ready) && !(await unlessRefused(() => writer.optOut(contact, ready, 'destinations')));
  const also = isOptedOut ? '; its phone numbers and e-mail addresses are opted out nevertheless' : '';
  return failed(ready, {}, `${doubt}${also}`);
}

const leftFor = (named: string): string =>
  `matches the contact "${named}" and adds none; to add another contact, send only this row, in a file of its own, with duplicates=create`;

const withWarning = (ready: ReadyRow, reason: string): ReadyRow => ({
  ...ready,
  warnings: [...ready.warnings, { line: ready.line, column: '', reason }],
});

/** Why a row cannot update a contact: it matches others just as well. */
function doubtAbout({ contact, rivals }: Matched): string | undefined {
  const [rival] = rivals;
  if (!rival) return undefined;
  const [one, other] = [contact, rival].map(({ name }) => `"${fullName(name)}"`);
  return `matches several contacts, such as ${one} and ${other}; give it the name, the e-mail address and the mobile phone of one of them`;
}

/** Why a row with another name cannot update a contact: only one of two keys is the same, as with two people of a family. */
function conflictOf(named: string, stored: Keys, sent: Keys): string | undefined {
  const differs = (key: keyof Keys) => stored[key] != null && sent[key] != null && stored[key] !== sent[key];
  if (differs('phone'))
    return `has the e-mail address of "${named}", but another name and mobile phone; if it is the same person, give the contact this name first`;
  return differs('email')
    ? `has the mobile phone of "${named}", but another name and e-mail address; if it is the same person, give the contact this name first`
    : undefined;
}

/** Why a row with another name cannot update a contact: an earlier row of the file says that it is somebody else. */
const namedBefore = (named: string): string =>
  `matches "${named}", to whom an earlier row of the file belongs, but has another name; if it is the same person, give both rows one name, and if not, send only this row, in a file of its own, with duplicates=create`;

/** The outcome of a row whose change may be refused, for example because its contact has been removed meanwhile. */
async function updatedBy(ready: ReadyRow, change: () => Promise<void>): Promise<Outcome> {
  const refusal = await unlessRefused(change);
  return refusal ? failed(ready, refusal.errors, refusal.message) : { ...ready, kind: 'updated' };
}

async function unlessRefused(change: () => Promise<void>): Promise<Refused | undefined> {
  try {
    await change();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error;
  }
}
