import { type DataSource, In } from 'typeorm';

type Row = Record<string, unknown>;

interface TagRow {
  readonly position: number;
  readonly tag: { readonly content: string; readonly removed_at: Date | null };
}

interface Loaded extends Row {
  readonly id: number;
  readonly contact_tags: readonly TagRow[];
  readonly addresses: readonly { readonly id: number }[];
  readonly hotness: { readonly name: string; readonly rank: number; readonly color: string } | null;
}

/** Contacts as clients see them, with the custom fields of the user. */
export async function shownContacts(database: DataSource, user: number, found: readonly Row[]) {
  const contacts = found as Loaded[];
  const fields = await database.getRepository<Row>('CustomField').find({
    where: { user_id: user },
    order: { rank: 'ASC', id: 'ASC' },
  });
  const ids = contacts.map(({ id }) => id);
  const values =
    fields.length > 0 && ids.length > 0
      ? await database.getRepository<Row>('CustomFieldValue').findBy({ contact_id: In(ids) })
      : [];
  const byContact = Map.groupBy(values, ({ contact_id }) => contact_id);
  return contacts.map((contact) => shownContact(contact, fields, byContact.get(contact.id) ?? []));
}

function shownContact(loaded: Loaded, fields: readonly Row[], values: readonly Row[]) {
  const { contact_tags, addresses, hotness, ...contact } = loaded;
  const tags = contact_tags.filter(({ tag }) => tag.removed_at === null);
  const found = new Map(values.map(({ custom_field_id, value }) => [custom_field_id, value]));
  return {
    ...contact,
    tags: tags
      .toSorted((a, b) => a.position - b.position)
      .map(({ tag }) => tag.content)
      .join(', '),
    addresses: addresses.toSorted((a, b) => a.id - b.id),
    hotness: hotness && { name: hotness.name, rank: hotness.rank, color: hotness.color },
    custom_fields: fields.map((field) => ({ ...field, value: found.get(field.id) ?? null })),
  };
}
