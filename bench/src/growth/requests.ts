import { hotnessesPerOwner, idsOf, lastSeeded, sourcesPerOwner } from '../seed/rows.ts';

/** One of the people who ask, and what they ask for. */
export interface Viewer {
  readonly title: string;
  readonly id: number;
  readonly token: string;
  /** Ids of contacts that the viewer sees. */
  readonly contacts: readonly number[];
}

/** A viewer who has read half of a list, or 50,000 contacts of it, up to this cursor. */
export interface Reader extends Viewer {
  readonly cursor: string;
}

type PathOf = (reader: Reader, nth: number) => string;

const newestFirst = '$sort[modified_at]=-1';
const names = ['Abbot', 'Brandt', 'Castillo', 'Dumont', 'Eriksen', 'Fischer', 'Gallo', 'Hansen'];

function threeFilters({ id }: Reader, nth: number): string {
  const hotnesses = idsOf(id, hotnessesPerOwner);
  const sources = idsOf(id, sourcesPerOwner);
  const since = new Date(lastSeeded - (90 + (nth % 300)) * 86_400_000).toISOString();
  const filters = [
    `hotness_id[$in]=${hotnesses[nth % 4]}`,
    `hotness_id[$in]=${hotnesses[(nth + 1) % 4]}`,
    `source_id=${sources[nth % sources.length]}`,
    `modified_at[$gte]=${since}`,
  ];
  return `/contacts?${filters.join('&')}&$limit=10&${newestFirst}`;
}

/** Each is sent by each viewer. */
export const growthRequests: Readonly<Record<string, PathOf>> = {
  'list of 10, last changed first': () => `/contacts?$limit=10&${newestFirst}`,
  'list of 10, last created first': () => '/contacts?$limit=10&$sort[created_at]=-1',
  'list of 10, by id': () => '/contacts?$limit=10&$sort[id]=1',
  'list of 100, last changed first': () => `/contacts?$limit=100&${newestFirst}`,
  'list of 10 with three filters': threeFilters,
  'list of 10 behind a cursor': ({ cursor }) =>
    `/contacts?$limit=10&${newestFirst}&$after=${encodeURIComponent(cursor)}`,
  'search for a last name': (_, nth) => `/contacts?$search=${names[nth % names.length]}&$limit=10`,
  'one contact with its nested parts': ({ contacts }, nth) => `/contacts/${contacts[nth % contacts.length]}`,
};
