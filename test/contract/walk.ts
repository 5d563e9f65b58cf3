import type { Api, Json } from '../system/api.ts';

/** All records of a list, read by cursor, and the totals that the pages have. */
export async function walk(api: Api, list: string, query: string) {
  const [data, totals]: [Json[], number[]] = [[], []];
  for (let after: string | null = ''; after !== null; ) {
    const page = await api.list(`${list}?${query}&$after=${after}`);
    data.push(...page.data);
    totals.push(page.total);
    after = page.next ?? null;
    if (totals.length > 500) throw new Error(`${list} has no end.`);
  }
  return { data, totals: [...new Set(totals)] };
}
