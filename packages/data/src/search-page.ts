import { type Actor, alternativesIn, ownersIn, type Rule } from '@crm/auth';
import { all, Binds, type SqlKey, sqlKeys, sqlOfAfter, sqlOfConditions, sqlOfRule } from '@crm/query';
import type { ListQuery } from './list-query.ts';
import { type Extent, extentOf, readPage } from './page-statement.ts';
import type { Query } from './query.ts';
import { columnsFor, type JsonText, type ReadModel } from './read-model.ts';
import { readRecords } from './remembered-records.ts';
import { searchParts } from './search-parts.ts';
import { isWorthWaiting, type Patience, patient } from './search-patience.ts';
import { edges, ranksElsewhere, ranksOf } from './search-ranks.ts';
import { ruleFor } from './visibility.ts';

/** What is searched: texts made by the function `search_words`, in which a bar follows the names, if there are any. */
export interface SearchModel {
  /** The column with the words of a record. */
  readonly words: string;
  /** Fields of users. For each an index has the id, the words and the latest time of the records whose words fit into it. */
  readonly indexedBy: readonly string[];
  /** The column of the time that orders equally good records, latest first. */
  readonly latest: string;
  /** Words that other tables have. */
  readonly others?: OtherWords;
}

interface OtherWords {
  /** A query `with` that the other may use. */
  readonly prepared: (viewer: Actor, binds: Binds) => string;
  /** SQL for the `id` of records and their `words` in other tables, where these match by the SQL that is made for them. */
  readonly matching: (match: (words: string) => string) => string;
}

export type SearchedModel = ReadModel & { readonly search: SearchModel };

/** A word that is searched for, with placeholders. */
interface Word {
  /** Patterns of a text that has the word, best first. */
  readonly kinds: readonly string[];
  /** What a text that has it contains. */
  readonly part: string;
  /** The regular expression of similar words. */
  readonly similar: string;
  readonly near: readonly string[];
  /** The queries `with` of the records that have it, or a similar one, in other tables. */
  readonly elsewhere: string;
  readonly similarElsewhere: string;
}

interface SearchOptions {
  /** Whether words that differ in one letter count if no record contains all words. They do by default. */
  readonly similar?: boolean;
  readonly patience?: Patience;
}

/** A page of the records that an actor sees and that contain all words, or similar ones, best matches first, in one statement. */
export function searchPage(
  query: Query,
  model: SearchedModel,
  actor: Actor,
  find: ListQuery,
  texts: readonly string[],
  { similar = true, patience = patient }: SearchOptions = {},
): Promise<JsonText> {
  return readRecords(query, model, actor, find, (shown) => {
    const binds = new Binds();
    const words = texts.map((text, index) => wordOf(text, similar, index, binds));
    const columns = columnsFor(model, actor);
    const isSorted = find.sort.length > 0;
    const keys = isSorted ? sqlKeys(find.sort, columns, binds) : best;
    const extent = extentOf(model.table, keys, find, binds);
    const reasons = alternativesIn(ruleFor(actor, model.visible));
    const parts = partsOf(model, reasons, binds);
    const asked = sqlOfConditions(find.where, columns, binds);
    const matching = (match: Match) => words.map((word) => `(${match(word, model, words.length === 1)})`);
    const found = (match: Match, ...more: readonly string[]) =>
      parts
        .map((part) => hitsOf(model, words, all(part, ...matching(match), ...more)))
        .map((hits) => withConditions(model, hits, asked))
        .join(' union ');
    // If the first page has similar words, later pages have them too, however long that takes.
    const mayTake = extent.after || find.skip > 0 ? 'true' : isWorthWaiting(reasons, model, patience, binds);
    return readPage(query, binds, extent, {
      prepared: [
        ...elsewhereOf(model, actor, words, binds),
        `exact as materialized (${found(contained)})`,
        seekingSimilar(mayTake),
        `near as materialized (${similar ? found(near, '(select seeking.similar from seeking)') : 'select * from exact limit 0'})`,
        'found as (table exact union all table near)',
      ],
      total: () => 'select count(*) from found',
      ...recordsOf(model, extent, isSorted),
      shown: shown(binds),
    });
  });
}

/** Once for all parts. Cases are looked at in their order, and thus the time when the exact ones are known. */
const seekingSimilar = (mayTake: string) =>
  `seeking as materialized (select case when exists (select from exact) then false else ${mayTake} end as similar)`;

function wordOf(text: string, hasSimilar: boolean, index: number, binds: Binds): Word {
  const { part, similar, near } = searchParts(text);
  return {
    // Bound as they are: PostgreSQL would put them together anew for each record.
    kinds: edges.map(([before, after]) => `${binds.add(before + text + after)}::text`),
    part: `${binds.add(part)}::text`,
    similar: `${binds.add(similar)}::text`,
    near: hasSimilar ? near.map((part) => `${binds.add(part)}::text`) : [],
    elsewhere: `elsewhere_${index}`,
    similarElsewhere: `similar_elsewhere_${index}`,
  };
}

/** SQL for whether words contain a part. Where most do not, this takes half the time of `like`. */
const contains = (words: string, part: string) => `strpos(${words}, ${part}) > 0`;

/** What the words of other tables match is looked up once for all records. */
function elsewhereOf(
  { search: { others } }: SearchedModel,
  actor: Actor,
  words: readonly Word[],
  binds: Binds,
): string[] {
  if (!others) return [];
  const queries = words.flatMap(({ kinds, part, similar, elsewhere, similarElsewhere }) => [
    `${elsewhere} as materialized (select id, min(case ${ranksOf('words', kinds, ranksElsewhere)} end) as rank
      from (${others.matching((theirs) => contains(theirs, part))}) other group by id)`,
    `${similarElsewhere} as materialized (${others.matching((theirs) => `${theirs} ~ ${similar}`)})`,
  ]);
  return [others.prepared(actor, binds), ...queries];
}

/** The order of a search. */
const best: readonly SqlKey[] = [
  { name: 'rank', kind: 'integer', direction: 1, sql: 'hits.rank' },
  { name: 'latest', kind: 'instant', direction: -1, sql: 'hits.latest' },
  { name: 'id', kind: 'integer', direction: 1, sql: 'hits.id' },
];

/** SQL for the records of a page, which are read in full only when the others have been left out. */
function recordsOf({ table }: SearchedModel, { order, cut, after }: Extent, isSorted: boolean) {
  const behind = after ? ` where ${sqlOfAfter(after)}` : '';
  const record = `cross join lateral (select * from ${table} where ${table}.id = hits.id offset 0) ${table}`;
  if (isSorted) return { from: `found hits ${record}${behind}`, isCut: false };
  const hits = `select * from found hits${behind} order by ${order} ${cut}`;
  return { from: `(${hits}) hits ${record}`, isCut: true };
}

/** The SQL conditions of which one applies to each record that is seen. */
const partsOf = (
  { columns, search: { indexedBy, words } }: SearchedModel,
  reasons: readonly Rule[],
  binds: Binds,
): string[] =>
  reasons.flatMap((reason) => {
    const seen = sqlOfRule(reason, columns, binds);
    if (!indexedBy.includes(ownersIn(reason)?.field ?? '')) return [seen];
    // An entry of a B-tree has at most 2,704 bytes.
    const isShort = `octet_length(${words}) <= 2000`;
    return [all(seen, isShort), all(seen, `not (${isShort})`)];
  });

/** SQL for the records with a condition on their words, with what orders them: nothing that an index of words lacks. */
const hitsOf = ({ table, search }: SearchedModel, words: readonly Word[], where: string) =>
  `select ${table}.id, ${search.latest} as latest, ${words.map((word) => rankOf(word, table, search)).join(' + ')} as rank
    from ${table} where ${where}`;

/** Other columns are read for the records that have the words, not for all that are seen. */
const withConditions = ({ table }: SearchedModel, hits: string, asked: string) =>
  asked === 'true'
    ? hits
    : `select hits.* from (${hits} offset 0) hits join ${table} on ${table}.id = hits.id where ${asked}`;

type Match = (word: Word, model: SearchedModel, isAlone: boolean) => string;

const contained: Match = ({ part, elsewhere }, { table, search: { words, others } }) =>
  `${contains(words, part)}${others ? ` or ${table}.id in (select id from ${elsewhere})` : ''}`;

/** Only if no record contains all words, so that a word that is alone need not be compared again. */
const near: Match = (word, model, isAlone) => {
  const exact = contained(word, model, isAlone);
  if (word.near.length === 0) return exact;
  const { words, others } = model.search;
  const candidates = word.near.map((part) => contains(words, part)).join(' or ');
  const similar = `(${candidates}) and ${words} ~ ${word.similar}`;
  const elsewhere = others ? ` or ${model.table}.id in (select id from ${word.similarElsewhere})` : '';
  return `${isAlone ? '' : `${exact} or `}${similar}${elsewhere}`;
};

/**
 * A whole word before the start of one, a part of one, and a similar one; within them names first. Summed over words.
 * The words of other tables count only for records that do not have a word themselves.
 */
function rankOf({ kinds, similar, elsewhere }: Word, table: string, { words, others }: SearchModel): string {
  const isElsewhere = (rank: number) => `${table}.id in (select id from ${elsewhere} where rank = ${rank})`;
  const ranked = others ? ranksElsewhere.map((rank) => `when ${isElsewhere(rank)} then ${rank}`) : [];
  const isSimilarName = `split_part(${words}, '|', 1) ~ ${similar}`;
  return `case ${ranksOf(words, kinds)} ${ranked.join(' ')} when ${isSimilarName} then 6 else 7 end`;
}
