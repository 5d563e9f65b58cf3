import { methodNotAllowed, pathNotFound, type Refused, type Verb } from '@crm/contract';

/**
 * The URL with repeated slashes in its path collapsed and the trailing one removed; the query is unchanged. Existing
 * clients send `//contacts`, and a redirect would turn their POST into a GET.
 */
export function tidyUrl(url: string): string {
  const path = pathOf(url);
  const tidy = path.replace(/^https?:\/\/[^/]*/i, '').replace(/\/{2,}/g, '/');
  return (tidy.length > 1 ? tidy.replace(/\/$/, '') : '/') + url.slice(path.length);
}

export function pathOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? url : url.slice(0, at);
}

/** The query of a URL as it was sent, without the question mark. */
export function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

interface Endpoint {
  readonly method: Verb;
  /** A template such as `/contacts/:id`. */
  readonly path: string;
}

/** Finds the methods that a path supports; none for an unknown path. */
export function methodFinder(endpoints: readonly Endpoint[]) {
  const patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  for (const { method, path } of endpoints) {
    const entry = patterns.get(path) ?? { pattern: patternOf(path), methods: new Set<string>() };
    entry.methods.add(method);
    if (method === 'GET') entry.methods.add('HEAD');
    patterns.set(path, entry);
  }
  return (path: string): string[] => {
    const found = [...patterns.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(/:\w+/g, '[^/]+')}$`);
}

/** Why no route matched a request: the path is unknown, or does not support the method. */
export function whyUnrouted(method: string, supported: readonly string[], did_you_mean?: string): Refused {
  if (supported.length > 0)
    return methodNotAllowed({
      message: `Method \`${method.toLowerCase()}\` is not supported by this endpoint. Supported methods: ${supported.join(', ')}.`,
    });
  if (did_you_mean === undefined) return pathNotFound();
  return pathNotFound({
    errors: { path: `is unknown. Did you mean "${did_you_mean}"?` },
    details: { path: { reason: 'unknown_name', did_you_mean } },
  });
}
