import { type SpanFacts, traced } from '@crm/telemetry';

/** Of a statement that is part of something: those that a service sends by itself all the time are no traces of their own. */
export const traceStatement = <Result>(text: string, work: () => Promise<Result>): Promise<Result> =>
  traced(() => spanOf(text), work);

/** Without their text, which is longer than everything else together. What they do to which table leads to it. */
const spanOf = (text: string): SpanFacts => ({ name: nameOf(text), kind: 'client', attributes });

const attributes = { 'db.system.name': 'postgresql' };

/** Most statements are sent again and again. */
const names = new Map<string, string>();
const maxNames = 1_000;

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = summaryOf(text);
  if (names.size < maxNames) names.set(text, name);
  return name;
}

const change = /(?<!\bfor )\b(insert into|update|delete from)\s+(?!set\b)"?(\w+)/i;

/** What a statement does to which table first: `update contacts`. */
function summaryOf(text: string): string {
  const [, verb, changed] = change.exec(text) ?? [];
  if (verb && changed) return `SQL ${verb.toLowerCase()} ${changed}`;
  const read = /\bfrom\s+"?([a-z_]\w*)/i.exec(text)?.[1];
  const first = /\w+/.exec(text)?.[0].toLowerCase() ?? '';
  return read === undefined ? `SQL ${first}` : `SQL select ${read}`;
}
