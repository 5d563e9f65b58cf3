interface Name {
  readonly first_name?: string;
  readonly last_name?: string;
}

/** Words that belong to the family name after them. */
const particles = new Set(
  "van von de del della der den di da dos das du la le st st. bin ibn al el 't ter ten zu".split(' '),
);
/** What follows a name after a comma, but is no first name. */
const suffixes = new Set('jr sr ii iii iv esq phd cpa dds realtor broker llc inc ltd corp'.split(' '));
/** Also a first name, as in `Rahman, Md`. */
const afterFirstName = new Set([...suffixes, 'md']);
const isIn = (words: ReadonlySet<string>, text: string) => words.has(text.toLowerCase().replace(/[.®]/g, ''));

/** The parts of a full name: `Anna Ng`, `Ng, Anna`, `Ludwig van Beethoven`, `King, Martin, Jr.` */
export function splitName(name: string): Name {
  const [last = '', first = '', ...more] = name.split(',').map((part) => part.trim());
  const [suffix = ''] = more;
  const isLastFirst = more.length === 0 || (more.length === 1 && isIn(afterFirstName, suffix));
  if (first !== '' && !isIn(suffixes, first) && isLastFirst) {
    const family = [last, suffix].join(' ').trim();
    return { first_name: first, ...(family !== '' && { last_name: family }) };
  }
  const words = name.replaceAll(',', ' ').split(/\s+/).filter(Boolean);
  if (words.length < 2) return { first_name: words.join(' ') };
  let start = words.length - 1;
  if (start > 1 && isIn(afterFirstName, words[start] ?? '')) start--;
  while (start > 1 && particles.has((words[start - 1] ?? '').toLowerCase())) start--;
  return { first_name: words.slice(0, start).join(' '), last_name: words.slice(start).join(' ') };
}
