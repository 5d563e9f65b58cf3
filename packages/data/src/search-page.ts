import { type Actor, alternativesIn, isUser, ownersIn, type Rule } from '@crm/auth';
import { all, Binds, type SqlKey, sqlKeys, sqlOfAfter, sqlOfConditions, sqlOfRule } from '@crm/query';
import type { Query } from './database.ts';
import type { ListQuery } from './find-page.ts';
import { type Extent, extentOf, readPage } from './page-statement.ts';
import { columnsFor, fieldsOf, type JsonText, type ReadModel } from './read-model.ts';
import { type SearchPatterns, searchPatterns } from './search-patterns.ts';

/** What is searched: texts made by the function `search_words`, in which a bar follows the names. */
export interface SearchModel {
  /** The column with the words of a record. */
  readonly words: string;
  /** The field of the owner, and an expression of it that no other index than that of the words has. */
  readonly owner: { readonly field: string; readonly sql: string };
  /** The column of the time that orders equally good records, latest first. */
  readonly latest: string;
  /** Words that other tables have. */
  readonly others?: OtherWords;
}

interface OtherWords {
  /** A query `with` that the others may use. */
  readonly prepared: (viewer: Actor, binds: Binds) => string;
  /** SQL for the ids of the records that have a word of another table, given the patterns as an array. */
  readonly idsWith: (patterns: string) => string;
  /** SQL for the words of other tables, of one record. */
  readonly words: string;
}

export type SearchedModel = ReadModel & { readonly search: SearchModel };

interface Word extends SearchPatterns {
  readonly text: string;
}

/**
 * A page of the records that an actor sees and that contain all words, best first, in one statement. Only if there are
 * none, words that differ in one letter count too, unless that is not asked for.
 */
export async function searchPage(
  query: Query,
  model: SearchedModel,
  actor: Actor,
  find: ListQuery,
  texts: readonly string[],
  { similar = true }: { readonly similar?: boolean } = {},
): Promise<JsonText> {
  const binds = new Binds();
  const words = texts.map((text): Word => ({ text, ...searchPatterns(text) }));
  const columns = columnsFor(model, actor);
  const isSorted = find.sort.length > 0;
  const keys = isSorted ? sqlKeys(find.sort, columns, binds) : best;
  const extent = extentOf(model.table, keys, find, binds);
  const visible = isUser(actor) ? model.visible(actor) : {};
  const asked = sqlOfConditions(find.where, columns, binds);
  const rank = rankOf(words, model.search, binds);
  const found = (match: Match, ...more: readonly string[]) =>
    reasonsOf(visible)
      .map((reason) => {
        const { seen, own } = partOf(model, reason, binds);
        const matching = words.map((word) => `(${match(word, own, model, binds)})`);
        const where = all(seen, ...matching, asked, ...more);
        return `select ${model.table}.id, ${model.search.latest} as latest, ${rank} as rank from ${model.table} where ${where}`;
      })
      .join(' union ');
  return readPage(query, binds, extent, {
    prepared: [
      ...(model.search.others ? [model.search.others.prepared(actor, binds)] : []),
      `exact as materialized (${found(contained)})`,
      `near as materialized (${similar ? found(near, 'not exists (select from exact)') : 'select * from exact limit 0'})`,
      'found as (table exact union all table near)',
    ],
    total: () => 'select count(*) from found',
    from: hitsOf(model, extent, isSorted),
    fields: fieldsOf(model, actor, binds, find.select),
  });
}

/** The order of a search. */
const best: readonly SqlKey[] = [
  { name: 'rank', kind: 'integer', direction: 1, sql: 'hits.rank' },
  { name: 'latest', kind: 'instant', direction: -1, sql: 'hits.latest' },
  { name: 'id', kind: 'integer', direction: 1, sql: 'hits.id' },
];

/** SQL for the records of a page, which are read in full only when the others have been left out. */
function hitsOf({ table }: SearchedModel, { keys, order, most, after }: Extent, isSorted: boolean): string {
  const behind = after ? ` where ${sqlOfAfter(keys, after)}` : '';
  const record = `cross join lateral (select * from ${table} where ${table}.id = hits.id offset 0) ${table}`;
  if (isSorted) return `found hits ${record}${behind}`;
  return `(select * from found hits${behind} order by ${order} limit ${most}) hits ${record}`;
}

/** The reasons to see a record, each for one owner. */
const reasonsOf = (visible: Rule): Rule[] =>
  alternativesIn(visible).flatMap((reason) => {
    const { field, ids } = ownersIn(reason) ?? {};
    if (field === undefined || ids === undefined || ids.length > maxOwners) return [reason];
    return ids.map((id) => ({ [field]: id }));
  });

/** For more owners it is cheaper to read the words of all their records than to ask the index for each. */
const maxOwners = 20;

/**
 * SQL for a reason to see a record, and the words to compare. Only with one owner the index of the words is good: it has
 * those of everybody.
 */
function partOf(model: SearchedModel, reason: Rule, binds: Binds) {
  const { words, owner } = model.search;
  const only = ownersIn(reason);
  return only?.field === owner.field && only.ids.length === 1
    ? { seen: `${owner.sql} = ${binds.add(only.ids[0])}::int`, own: words }
    : { seen: sqlOfRule(reason, model.columns, binds), own: `(${words} || '')` };
}

type Match = (word: Word, own: string, model: SearchedModel, binds: Binds) => string;

const contained: Match = ({ contains }, own, model, binds) => {
  const pattern = `${binds.add(contains)}::text`;
  return `${own} like ${pattern}${orElsewhere(model, `array[${pattern}]`)}`;
};

const orElsewhere = ({ table, search: { others } }: SearchedModel, patterns: string) =>
  others ? ` or ${table}.id = any(array(${others.idsWith(patterns)}))` : '';

const near: Match = (word, own, model, binds) => {
  const exact = contained(word, own, model, binds);
  if (word.similar.length === 0) return exact;
  const similar = `${binds.add(word.similar)}::text[]`;
  const candidates = word.near.map((pattern) => `${own} like ${binds.add(pattern)}::text`);
  // An index must not know the many patterns: it would be asked once for each.
  return `${exact} or ((${candidates.join(' or ')}) and (${own} || '') like any(${similar}))${orElsewhere(model, similar)}`;
};

/**
 * A whole word before the start of one, a part of one, and a similar one; within them names first. Summed over words.
 * The words of other tables are read only for records that do not have a word themselves.
 */
function rankOf(words: readonly Word[], { words: own, others }: SearchModel, binds: Binds): string {
  const ranks = words.map(({ text, similar }) => {
    const word = `${binds.add(text)}::text`;
    const whens = (words: string) => {
      const like = (before: string, after: string) => `${words} like '${before}' || ${word} || '${after}'`;
      const kinds = [like('% ', ' %|%'), like('% ', ' %'), like('% ', '%|%'), like('% ', '%')];
      const parts = [like('%', '%|%'), like('%', '%')];
      return [...kinds, ...parts].map((kind, rank) => `when ${kind} then ${rank}`).join(' ');
    };
    const isSimilarName = `split_part(${own}, '|', 1) like any(${binds.add(similar)}::text[])`;
    const other = `select case ${whens('other.words')} when ${isSimilarName} then 6 else 7 end
      from (select ${others?.words ?? "''"} as words offset 0) other`;
    return `case ${whens(own)} else (${other}) end`;
  });
  return ranks.join(' + ');
}
