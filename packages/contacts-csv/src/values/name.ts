interface Name {
  readonly first_name?: string;
  readonly last_name?: string;
}

/** Words that belong to the family name after them. */
const particles = new Set(
  "van von de del della der den di da dos das du la le st st. bin ibn al el 't ter ten zu".split(' '),
);
const suffixes = new Set('jr jr. sr sr. ii iii iv'.split(' '));

/** The parts of a full name: `Anna Ng`, `Ng, Anna`, `Ludwig van Beethoven`, `John & Mary Smith`, `Martin King Jr.` */
export function splitName(name: string): Name {
  const [last = '', first = '', ...more] = name.split(',').map((part) => part.trim());
  if (first !== '' && more.length === 0 && !suffixes.has(first.toLowerCase()))
    return { first_name: first, ...(last !== '' && { last_name: last }) };
  const words = name.replaceAll(',', ' ').split(/\s+/).filter(Boolean);
  if (words.length < 2) return { first_name: words.join(' ') };
  let start = words.length - 1;
  if (start > 1 && suffixes.has((words[start] ?? '').toLowerCase())) start--;
  while (start > 1 && particles.has((words[start - 1] ?? '').toLowerCase())) start--;
  return { first_name: words.slice(0, start).join(' '), last_name: words.slice(start).join(' ') };
}
