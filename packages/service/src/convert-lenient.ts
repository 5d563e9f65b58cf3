import type { z } from 'zod';

/**
 * Converts values that shipped clients send in another form, where validation found them: a number or boolean becomes a string
 * where one is expected, and an empty string becomes null where a date is expected. Returns the input itself if there is
 * nothing to convert.
 */
export function convertLenient(input: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  return issues.reduce(
    (value, issue) => changeAt(value, issue.path, (sent) => converted(sent, issue)),
    input,
  );
}

function converted(sent: unknown, issue: z.core.$ZodIssue): unknown {
  const isText = issue.code === 'invalid_type' && issue.expected === 'string';
  if (isText && (typeof sent === 'boolean' || (typeof sent === 'number' && isExact(sent)))) {
    return String(sent);
  }
  const isDate = isText || (issue.code === 'invalid_format' && issue.format === 'datetime');
  return isDate && sent === '' ? null : sent;
}

/** Beyond these limits the parsed number differs from the one that was sent. */
const isExact = (value: number) => Math.abs(value) <= Number.MAX_SAFE_INTEGER;

function changeAt(
  value: unknown,
  [key, ...rest]: readonly PropertyKey[],
  change: (sent: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (typeof value !== 'object' || value === null) return value;
  const inner = (value as Record<PropertyKey, unknown>)[key];
  const changed = changeAt(inner, rest, change);
  if (changed === inner) return value;
  return Array.isArray(value)
    ? value.map((one, index) => (index === key ? changed : one))
    : { ...value, [key]: changed };
}
