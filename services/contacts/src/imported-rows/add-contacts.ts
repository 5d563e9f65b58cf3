import { setImmediate } from 'node:timers/promises';
import { insertRows } from '@crm/data';
import { contactChanged, contactCreated } from '@crm/events';
import { writeEvents } from '@crm/messaging';
import { type Context, publish } from '@crm/service';
import { keepOptOuts, storeOptOuts } from '../consents/consent.queries.ts';
import { publishConsentChanged } from '../consents/publish-consent-changed.ts';
import { searchedTextOf } from '../contacts/address-text.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import { comparablePhones } from '../contacts/phone.ts';
import { addFirstAddresses } from '../contacts/write-addresses.ts';
import { setValuesOfContacts } from '../custom-fields/custom-field.queries.ts';
import { noteAssignment } from '../delegations/delegated-assignment.queries.ts';
import { delegationOf } from '../delegations/delegation.queries.ts';
import { knownId } from '../known-id.ts';
import { Share } from '../shares/share.entity.ts';
import { addTagsOfContacts } from '../tags/tag.queries.ts';
import { tagIds } from '../tags/tag-ids.ts';
import { tagsIn, textAroundTags } from '../tags/tags-text.ts';
import type { ImportedRow } from './check-rows.ts';

/** A row with the id of its future contact. */
type Added = ImportedRow & { readonly id: number };

/** The number of rows that are turned into statements before this process does other work. */
const rowsAtOnce = 200;

/**
 * Adds the contacts of valid rows, and publishes what single requests would publish. No statement waits for another: PostgreSQL
 * runs those of some rows, in order, while those of the next rows are being built.
 */
export async function addContacts(
  ctx: Context,
  added: readonly Added[],
  tagIds: ReadonlyMap<string, number>,
): Promise<void> {
  const writing: Promise<unknown>[] = [];
  for (let from = 0; from < added.length; from += rowsAtOnce) {
    const written = addSome(ctx, added.slice(from, from + rowsAtOnce), tagIds);
    // Thrown when all are awaited.
    written.catch(() => undefined);
    writing.push(written);
    await setImmediate();
  }
  await Promise.all(writing);
}

/** Adds contacts with one statement per table. */
function addSome(ctx: Context, added: readonly Added[], tagIds: ReadonlyMap<string, number>) {
  const contacts = added.map((row) => rowOf(ctx, row));
  const tags = added.flatMap(({ id: contact_id, contact }) =>
    tagsIn(contact.tags ?? null).map(({ content, lead }, index) => {
      return { contact_id, position: index + 1, tag_id: knownId(tagIds.get(content)), lead };
    }),
  );
  return Promise.all([
    insertRows(ctx.em, Contact, contacts),
    addFirstAddresses(
      ctx,
      added.map(({ id, contact }) => ({ id, addresses: contact.addresses })),
    ),
    tags.length > 0 && addTagsOfContacts(ctx.query, tags),
    addValues(ctx, added),
    addShares(ctx, added),
    addOptOuts(ctx, added),
    noteAssignments(ctx, added),
    publishAdded(ctx, added),
  ]);
}

async function publishAdded(ctx: Context, added: readonly Added[]) {
  for (const row of added) {
    const { id, contact } = row;
    const owned = { id, owner_user_id: ctx.user.id, assigned_user_id: contact.assigned_user_id };
    publish(ctx, contactCreated, { id, version: 1 }, eventData(owned, {}));
    for (const [index, field] of changesOf(row).entries())
      publish(ctx, contactChanged, { id, version: index + 2 }, eventData(owned, { fields: [field] }));
  }
  await writeEvents(ctx.em.getContext());
}

/** What single requests would change in a contact after adding it. */
const changesOf = ({ shared_with, opt_outs = [] }: Added): string[] => [
  ...(shared_with.length > 0 ? ['shares'] : []),
  ...(opt_outs.length > 0 ? ['consent'] : []),
];

const versionOf = (row: Added): number => 1 + changesOf(row).length;

function rowOf(ctx: Context, row: Added) {
  const { id, contact, shared_with } = row;
  const { addresses, custom_fields, tags, created_at, modified_at, ...draft } = contact;
  const now = ctx.now();
  return {
    ...draft,
    id,
    ...comparablePhones(draft),
    ...textAroundTags({ tags }),
    address_text: searchedTextOf(addresses),
    created_at: created_at === undefined ? now : new Date(created_at),
    modified_at: modified_at === undefined ? now : new Date(modified_at),
    owner_user_id: ctx.user.id,
    shared_user_ids: [...new Set(shared_with)],
    version: versionOf(row),
  };
}

/** The ids of the tags of rows, locked until the transaction ends; those that are missing are added. */
export function tagsOfRows(ctx: Context, rows: readonly ImportedRow[]): Promise<Map<string, number>> {
  const contents = rows.flatMap(({ contact }) => tagsIn(contact.tags ?? null).map(({ content }) => content));
  return tagIds(ctx, ctx.user.id, contents);
}

async function addValues(ctx: Context, added: readonly Added[]) {
  const values = added.flatMap(({ id: contact_id, contact }) => {
    const byField = new Map((contact.custom_fields ?? []).map(({ id, value }) => [id, value ?? '']));
    return [...byField].flatMap(([custom_field_id, value]) =>
      value === '' ? [] : [{ contact_id, custom_field_id, value }],
    );
  });
  if (values.length > 0) await setValuesOfContacts(ctx.query, values);
}

async function addShares(ctx: Context, added: readonly Added[]) {
  const shares = added.flatMap(({ id: contact_id, shared_with }) =>
    [...new Set(shared_with)].map((user_id) => ({
      contact_id,
      user_id,
      shared_by_user_id: ctx.user.id,
      delegation_id: delegationOf(ctx),
      created_at: ctx.now(),
    })),
  );
  await insertRows(ctx.em, Share, shares);
}

const nowhere = { numbers: [], emails: [] };

async function addOptOuts(ctx: Context, added: readonly Added[]) {
  const optedOut = added.filter(({ opt_outs = [] }) => opt_outs.length > 0);
  if (optedOut.length === 0) return;
  const optOuts = optedOut.flatMap(({ id: contact_id, opt_outs }) =>
    [...new Set(opt_outs)].map((channel) => ({ contact_id, channel })),
  );
  const said = optedOut.map(({ opt_outs: channels = [], destinations = nowhere }) => ({
    channels,
    ...destinations,
  }));
  await Promise.all([
    storeOptOuts(ctx.query, optOuts, ctx.now()),
    keepOptOuts(ctx.query, ctx.user.id, said, ctx.now()),
  ]);
  const contacts = optedOut.map((row) => ({
    id: row.id,
    email: row.contact.email,
    version: versionOf(row),
  }));
  const destinations = said.flatMap(({ numbers, emails }) => [...numbers, ...emails]);
  await publishConsentChanged(ctx, contacts, { areNew: true, destinations });
}

/** A new contact has no assignment to undo, unless it was created under a delegation. */
async function noteAssignments(ctx: Context, added: readonly Added[]) {
  const delegation = delegationOf(ctx);
  if (delegation === null) return;
  for (const { id: contact_id, contact } of added) {
    if (contact.assigned_user_id == null) continue;
    await noteAssignment(ctx.query, { contact_id, previous_user_id: null }, delegation);
  }
}
