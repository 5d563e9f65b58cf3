import { BadRequest, GeneralError } from '@feathersjs/errors';
import type { Knex } from 'knex';
import { type ContactDraft, type NewContact, partsOf, shown } from '../contact-fields.ts';
import type { HookContext } from './context.ts';

/** The table has columns that clients do not see. */
export async function selectShown(context: HookContext): Promise<void> {
  const { query } = context.params;
  context.params.query = { ...query, $select: query?.$select ?? shown };
}

/** Pages overlap unless the order is complete. */
export async function orderById({ params }: HookContext): Promise<void> {
  const { query } = params;
  const $sort = { ...query?.$sort };
  params.query = { ...query, $sort: { ...$sort, id: $sort.id ?? Object.values($sort).at(-1) ?? 1 } };
}

/** A hook and not a resolver, which would run the expression as a statement. */
export const countVersion = (db: Knex) => async (context: HookContext) => {
  context.data.version = db.raw('version + 1');
};

export const checkReferences = (db: Knex) => async (context: HookContext) => {
  const { hotness_id, source_id } = context.data as ContactDraft;
  const isOwn = async (table: string, id: number | null | undefined) =>
    id == null || (await db(table).where({ id, user_id: context.params.user.id }).first('id')) !== undefined;
  const [hotness, source] = await Promise.all([
    isOwn('hotnesses', hotness_id),
    isOwn('contact_sources', source_id),
  ]);
  if (!hotness) throw new BadRequest('hotness_id refers to a hotness that does not exist.');
  if (!source) throw new BadRequest('source_id refers to a contact source that does not exist.');
};

/** Addresses and tags have tables of their own. */
export async function separateParts(context: HookContext): Promise<void> {
  const parts = partsOf(context.data);
  context.params.parts = parts;
  context.data = { ...parts.draft, tags_head: '', tags_tail: '' };
}

export async function writeParts(context: HookContext): Promise<void> {
  const { parts, user, transaction } = context.params;
  const trx = transaction?.trx;
  if (!parts || !trx) throw new GeneralError('The hooks are in the wrong order.');
  await insertAddresses(trx, context.result.id, parts);
  await insertTags(trx, context.result.id, user.id, parts);
}

async function insertAddresses(trx: Knex, contact_id: number, { addresses }: NewContact): Promise<void> {
  if (addresses.length === 0) return;
  const now = new Date();
  await trx('addresses').insert(
    addresses.map((address) => ({ ...address, contact_id, created_at: now, modified_at: now })),
  );
}

async function insertTags(trx: Knex, contact_id: number, user_id: number, { tags }: NewContact) {
  if (tags.length === 0) return;
  const known = await trx('tags')
    .where({ user_id })
    .whereNull('removed_at')
    .whereIn('content', tags)
    .select('id', 'content');
  const missing = tags.filter((content) => known.every((tag) => tag.content !== content));
  const added =
    missing.length === 0
      ? []
      : await trx('tags').insert(
          missing.map((content) => ({ user_id, content })),
          ['id', 'content'],
        );
  const ids = new Map([...known, ...added].map(({ id, content }) => [content, id]));
  const rows = tags.map((content, index) => ({
    contact_id,
    position: index + 1,
    tag_id: ids.get(content),
    lead: index === 0 ? '' : ', ',
  }));
  await trx('contact_tags').insert(rows);
}
