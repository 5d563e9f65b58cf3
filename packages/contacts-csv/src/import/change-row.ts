import { Refused } from '@crm/contract';
import type { KnownContacts, Matched } from './known-contacts.ts';
import { failed, type Outcome } from './outcome.ts';
import type { ReadyRow } from './read-row.ts';
import { couldBeOne, fullName, nameOf, plainName } from './same-name.ts';
import { type Keys, keysOf, type Match } from './same-person.ts';
import type { Writer } from './writer.ts';

interface Changing {
  readonly writer: Writer;
  readonly duplicates: 'update' | 'skip' | 'create';
  readonly match: Match;
  readonly known: KnownContacts;
  readonly throwIfStopped: () => void;
}

/** Updates the contact that a row matches, unless the row may be about somebody else. */
export async function changeRow(
  { writer, duplicates, match, known, throwIfStopped }: Changing,
  ready: ReadyRow,
  matched: Matched,
): Promise<Outcome> {
  throwIfStopped();
  const { contact } = matched;
  const named = fullName(contact.name);
  const isRenamed = !couldBeOne(plainName(contact.name), plainName(ready.draft));
  const warned = (reason: string) => (isRenamed ? withWarning(ready, reason) : ready);
  if (duplicates === 'skip') return leaveRow(writer, warned(leftFor(named)), matched);
  const keys = keysOf(ready.draft, match);
  const doubt = doubtAbout(matched) ?? (isRenamed ? conflictOf(named, contact.keys, keys) : undefined);
  if (doubt !== undefined) return failed(ready, {}, doubt);
  return updatedBy(warned(`has replaced the name of the contact, which was "${named}"`), async () => {
    await writer.change(contact, ready);
    known.change(contact, keys, nameOf(ready.changes));
  });
}

/** Does not change a contact, but opts it out of the messages that its row names. */
export function leaveRow(
  writer: Writer,
  ready: ReadyRow,
  { contact }: Pick<Matched, 'contact'>,
): Promise<Outcome> {
  if (ready.optOuts.length === 0) return Promise.resolve({ ...ready, kind: 'skipped' });
  return updatedBy(ready, () => writer.optOut(contact, ready));
}

const leftFor = (named: string): string =>
  `matches the contact "${named}" and adds none; to add another contact, import this row with duplicates=create`;

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

/** The outcome of a row whose change may be refused, for example because its contact has been removed meanwhile. */
async function updatedBy(ready: ReadyRow, change: () => Promise<void>): Promise<Outcome> {
  try {
    await change();
    return { ...ready, kind: 'updated' };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return failed(ready, error.errors, error.message);
  }
}
