import type { Query } from '@crm/data';

/** Said twice or late, a word changes nothing: for each number the latest of both kinds is kept. */
export async function noteWord(
  query: Query,
  word: 'since' | 'ended_at',
  { number, at }: { readonly number: string; readonly at: string },
): Promise<void> {
  await query(
    `insert into opt_outs (number, ${word}) values ($1, $2)
     on conflict (number) do update set ${word} = greatest(opt_outs.${word}, excluded.${word})`,
    [number, at],
  );
}

/** In doubt nobody is texted: of both words at one moment the one that forbids counts. */
export async function optedOutAmong(query: Query, numbers: readonly string[]): Promise<string[]> {
  const rows = await query(
    `select number from opt_outs
     where number = any($1::text[]) and since is not null and (ended_at is null or since >= ended_at)
     order by number`,
    [numbers],
  );
  return rows.map((row) => String(row.number));
}
