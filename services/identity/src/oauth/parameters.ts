export interface Parameters {
  /** Parameters that were sent once with a value; those without a value count as omitted (RFC 6749 §3.1). */
  readonly values: Readonly<Partial<Record<string, string>>>;
  /** Parameters that were sent more than once, or are not percent-encoded UTF-8. */
  readonly faulty: ReadonlySet<string>;
}

/** Reads application/x-www-form-urlencoded, from a query or a body. */
export function readParameters(text: string): Parameters {
  const values = new Map<string, string>();
  const faulty = new Set<string>();
  for (const part of text.split('&').filter(Boolean)) {
    const at = part.indexOf('=');
    const name = decode(at < 0 ? part : part.slice(0, at));
    const value = decode(at < 0 ? '' : part.slice(at + 1));
    if (name === undefined || value === '') continue;
    if (value === undefined || values.has(name)) faulty.add(name);
    else values.set(name, value);
  }
  for (const name of faulty) values.delete(name);
  return { values: Object.fromEntries(values), faulty };
}

/** Decodes a name or value; undefined if it is malformed. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
