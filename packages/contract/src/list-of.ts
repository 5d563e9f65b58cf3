/** Reads a list, including an object with whole numbers as keys, which a query parser makes of `a[0]=x&a[1]=y`. */
export function listOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value);
  return keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
