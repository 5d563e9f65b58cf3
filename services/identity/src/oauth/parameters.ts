export interface Parameters {
  /** What was sent once and with a value: a parameter without one counts as left out (RFC 6749 §3.1). */
  readonly values: Readonly<Partial<Record<string, string>>>;
  /** The names of those that were sent more than once, or are not UTF-8 with percent signs. */
  readonly faulty: ReadonlySet<string>;
}

/** Reads application/x-www-form-urlencoded, in a query as in a body. */
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

/** Text of application/x-www-form-urlencoded; nothing when it stands for no text. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
