import { parse } from 'yaml';

type Map = Readonly<Record<string, unknown>>;

const isMap = (part: unknown): part is Map =>
  part !== null && typeof part === 'object' && !Array.isArray(part);

/** The document of a file of Docker Compose, in which tags that YAML does not know are keys and values. */
export function composeFile(text: string): Map {
  const plain = text
    .replaceAll(/: !override$/gm, ':\n    override: true')
    .replaceAll(/: !reset \[\]$/gm, ': reset');
  return parse(plain, { merge: true });
}

/** One file over another, as `docker compose -f … -f …` reads them: maps are merged, lists are joined. */
export function over(base: Map, upper: Map): Map {
  const { override, ...given } = upper;
  if (override === true) return given;
  const entries = Object.entries(given).map(([key, value]) => [key, merged(key, base[key], value)] as const);
  const all = Object.entries({ ...base, ...Object.fromEntries(entries) });
  return Object.fromEntries(all.filter(([, value]) => value !== 'reset'));
}

function merged(key: string, below: unknown, value: unknown): unknown {
  if (isMap(value)) return over(isMap(below) ? below : {}, value);
  const isCommand = key === 'command' || key === 'entrypoint' || key === 'test';
  return Array.isArray(below) && Array.isArray(value) && !isCommand ? [...below, ...value] : value;
}
