/**
 * The offered media type that an Accept header prefers (RFC 9110, section 12.5.1), the first one of several equally preferred;
 * undefined if it accepts none of them.
 */
export function preferredType(accept = '*/*', offered: readonly string[]): string | undefined {
  const ranges = accept.toLowerCase().split(',').map(readRange);
  const weightOf = (type: string) => {
    const [kind] = type.split('/');
    const [range] = [type, `${kind}/*`, '*/*'].flatMap((name) => ranges.filter((one) => one.name === name));
    return range?.weight ?? 0;
  };
  const [best] = offered.toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) > 0 ? best : undefined;
}

function readRange(text: string): { readonly name: string; readonly weight: number } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((one) => one.startsWith('q='));
  return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
}
