/** `{ rank: { $gt: 2 }, id: [1, 2] }` as the API reads it: `rank[$gt]=2&id[$in]=1&id[$in]=2`. */
export function queryString(query: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => parametersOf(name, value));
  return parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

function parametersOf(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (value instanceof Date) return [[name, value.toISOString()]];
  if (Array.isArray(value)) {
    // A list of objects is a list of conditions, whose members have to stay together.
    return value.flatMap((one, index) => parametersOf(isPlain(one) ? `${name}[${index}]` : name, one));
  }
  if (isPlain(value)) {
    return Object.entries(value).flatMap(([key, one]) => parametersOf(`${name}[${key}]`, one));
  }
  return [[name, value === null ? '' : String(value)]];
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Array.isArray(value);
