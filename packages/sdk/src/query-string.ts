/**
 * `{ rank: { $gt: 2 }, id: [1, 2] }` as the API reads it: `rank[$gt]=2&id[$in]=1&id[$in]=2`. Throws TypeError for an empty list,
 * which a query string cannot express, and for a condition whose bounds are all undefined: without the condition, every record
 * would match.
 */
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
    const members = value.filter((one) => one !== undefined);
    if (members.length === 0 && !name.endsWith('[$nin]')) throw new TypeError(`"${name}" is an empty list.`);
    // A list of objects is a list of conditions, whose members must stay together.
    const parts = members.map((one, index) => {
      if (!isPlain(one)) return parametersOf(name, one);
      const at = `${name}[${index}]`;
      return isGroups(name) ? membersOf(at, one) : parametersOf(at, one);
    });
    // A member that always holds has no parameters. If only this member were dropped, the others would decide.
    return /(^|\[)\$or\]?$/.test(name) && parts.some((one) => one.length === 0) ? [] : parts.flat();
  }
  if (isPlain(value)) {
    if (isEmpty(value) && name !== '$sort') throw new TypeError(`"${name}" has no value.`);
    return membersOf(name, value);
  }
  return [[name, value === null ? '' : String(value)]];
}

const membersOf = (name: string, value: Readonly<Record<string, unknown>>) =>
  Object.entries(value).flatMap(([key, one]) => parametersOf(`${name}[${key}]`, one));

const isGroups = (name: string) => /(^|\[)\$(or|and)\]?$/.test(name);

/** Whether an object has no defined member. */
export const isEmpty = (value: object): boolean => Object.values(value).every((one) => one === undefined);

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Array.isArray(value);
