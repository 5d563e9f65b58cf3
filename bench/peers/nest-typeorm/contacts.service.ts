import { BadRequestException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { ArrayContains, type DataSource, type EntityManager, In, IsNull } from 'typeorm';
import { type ContactDraft, type NewContact, partsOf } from '../contact-fields.ts';
import { comparablePhones } from '../phones.ts';
import { readQuery } from './query.ts';
import { shownContacts } from './shown-contacts.ts';

// A statement for each relation: joined, each address would repeat its contact, and a page would be found twice.
const withRelations = {
  relations: { hotness: true, source: true, addresses: true, contact_tags: { tag: true } },
  relationLoadStrategy: 'query',
} as const;

export class ContactsService {
  private readonly database: DataSource;

  constructor(database: DataSource) {
    this.database = database;
  }

  async find(user: number, query: Readonly<Record<string, unknown>>) {
    const { where, order, take, skip } = readQuery(query);
    const [found, total] = await this.contacts().findAndCount({
      ...withRelations,
      where: visibleTo(user, where),
      order,
      take,
      skip,
    });
    return { total, limit: take, skip, data: await shownContacts(this.database, user, found) };
  }

  async get(user: number, id: number) {
    const found = await this.contacts().findOne({ ...withRelations, where: visibleTo(user, { id }) });
    if (!found) throw new NotFoundException(`No contact has the id ${id}.`);
    const [shown] = await shownContacts(this.database, user, [found]);
    return shown;
  }

  async create(user: number, body: object) {
    const contact = partsOf({ ...body });
    await this.checkReferences(user, contact.draft);
    const id = await this.database.transaction((em) => insertContact(em, user, contact));
    return this.get(user, id);
  }

  async patch(user: number, id: number, body: object) {
    const draft: ContactDraft = { ...body };
    await this.checkReferences(user, draft);
    const found = await this.contacts().findOne({ where: visibleTo(user, { id }) });
    if (!found) throw new NotFoundException(`No contact has the id ${id}.`);
    await this.contacts().update(id, { ...draft, ...comparablePhones(draft), modified_at: new Date() });
    return this.get(user, id);
  }

  private contacts() {
    return this.database.getRepository<Record<string, unknown>>('Contact');
  }

  private async checkReferences(user: number, { hotness_id, source_id }: ContactDraft): Promise<void> {
    const isOwn = (name: string, id: number | null | undefined) =>
      id == null || this.database.getRepository(name).existsBy({ id, user_id: user });
    const own = await Promise.all([isOwn('Hotness', hotness_id), isOwn('Source', source_id)]);
    if (own.includes(false))
      throw new BadRequestException('hotness_id or source_id refers to a record that does not exist.');
  }
}
Injectable()(ContactsService);
Inject(getDataSourceToken())(ContactsService, undefined, 0);

/** Own, assigned and shared contacts. */
const visibleTo = (user: number, where: object) => [
  { ...where, owner_user_id: user },
  { ...where, assigned_user_id: user },
  { ...where, shared_user_ids: ArrayContains([user]) },
];

async function insertContact(em: EntityManager, user: number, contact: NewContact): Promise<number> {
  const moments = { created_at: new Date(), modified_at: new Date() };
  const internal = { owner_user_id: user, tags_head: '', tags_tail: '', shared_user_ids: [], ...moments };
  const draft = { ...contact.draft, ...comparablePhones(contact.draft), ...internal };
  const { id: contact_id } = await em
    .getRepository<{ id: number }>('Contact')
    .save(draft as unknown as { id: number });
  if (contact.addresses.length > 0)
    await em
      .getRepository('Address')
      .insert(contact.addresses.map((address) => ({ ...address, contact_id, ...moments })));
  if (contact.tags.length > 0) await insertTags(em, user, contact_id, contact.tags);
  return contact_id;
}

type Tag = Record<string, unknown>;

async function insertTags(em: EntityManager, user: number, contact_id: number, tags: readonly string[]) {
  const repository = em.getRepository<Tag>('Tag');
  const known = await repository.findBy({ user_id: user, content: In(tags), removed_at: IsNull() });
  const missing = tags.filter((content) => known.every((tag) => tag.content !== content));
  const drafts = missing.map((content) => ({ user_id: user, content }));
  const added: Tag[] = drafts.length > 0 ? await repository.save<Tag>(drafts) : [];
  const ids = new Map([...known, ...added].map(({ id, content }) => [content, id]));
  const rows = tags.map((content, index) => ({
    contact_id,
    position: index + 1,
    tag_id: ids.get(content),
    lead: index === 0 ? '' : ', ',
  }));
  await em.getRepository('ContactTag').insert(rows);
}
