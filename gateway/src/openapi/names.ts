import type { Route } from '../routes.ts';

/** The names of a resource in the document, derived from its path: `/contacts/:id/addresses` is "ContactAddress". */
export interface ResourceNames {
  /** The record in code: `ContactAddress`. */
  readonly noun: string;
  /** The heading: `Contact addresses`. */
  readonly tag: string;
}

/** Finds the names of a route's resource; all operations of one resource share them. */
export function resourceNames(routes: readonly Route[]): (route: Route) => ResourceNames {
  const shortest = new Map<string, string>();
  for (const route of routes) {
    const known = shortest.get(resourceOf(route));
    if (known === undefined || route.path.length < known.length) shortest.set(resourceOf(route), route.path);
  }
  return (route) => namesOf(wordsOf(shortest.get(resourceOf(route)) ?? route.path));
}

/** A path as a template of OpenAPI: `/contacts/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** `hotnesses.find` as part of a name: `Find`. */
export function verbOf({ procedure }: Route): string {
  return pascal(procedure.split('.')[1] ?? '');
}

function resourceOf({ service, procedure }: Route): string {
  return `${service} ${procedure.split('.')[0]}`;
}

/** The nouns of a path, without versions and parameters. */
function wordsOf(path: string): string[] {
  return path.split('/').filter((word) => word !== '' && !/^(:.*|api|v\d+)$/.test(word));
}

function namesOf(words: readonly string[]): ResourceNames {
  const owners = words.slice(0, -1).map(singular);
  const text = [...owners, ...words.slice(-1)].join(' ').replaceAll(/[-_]/g, ' ');
  return {
    noun: words.map((word) => pascal(singular(word))).join(''),
    tag: text.charAt(0).toUpperCase() + text.slice(1),
  };
}

export function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function pascal(word: string): string {
  return word
    .split(/[-_]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
