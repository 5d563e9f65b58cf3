import type { FieldKind } from '@crm/contract';
import { seed } from '@crm/testing';
import fc, { type Arbitrary } from 'fast-check';
import { expect } from 'vitest';
import type { Api } from '../system/api.ts';

/** What a client may put into a cursor that it was given, instead of what was there. */
interface Forgery {
  readonly field: string;
  readonly direction: 1 | -1;
  readonly total: unknown;
  readonly value: unknown;
  readonly id: unknown;
}

const counts = [0, -1, 1.5, 2147483647, 2147483648, 9007199254740991, 1e300, '1', null];
const ids = [
  '0',
  '-1',
  '2147483648',
  '9'.repeat(18),
  '9'.repeat(19),
  '1.0',
  ' 1',
  '+1',
  '١',
  1,
  null,
  [],
  {},
];

const moments = [
  '2026-01-02T03:04:05.678901Z',
  '2026-01-02T03:04:05.678Z',
  '2026-01-02',
  '2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05.678901234Z',
  '2026-01-02T03:04:05,678901Z',
  '2026-01-02T03:04:05.678901+23:00',
  '2026-01-02T03:04:05.678901-15:59',
  '2026-01-02T03:04:05.678901+16',
  '2026-01-02T03:04:60.000000Z',
  '2026-01-02T03:04:60.123456Z',
  '2016-12-31T23:59:60.500Z',
  '0001-01-01T00:00:00.000000Z',
  '9999-12-31T23:59:60.000000Z',
  '9999-12-31T23:59:59.999999Z',
  '0000-01-01T00:00:00.000000Z',
  '2026-02-30T00:00:00.000000Z',
  'infinity',
];

const values: Readonly<Record<FieldKind, readonly string[]>> = {
  integer: ids.filter((id) => typeof id === 'string'),
  number: [
    '1e99',
    '1e-99',
    '1e100',
    '1e-300',
    '5e-324',
    '1e-999',
    '1e999',
    'NaN',
    'Infinity',
    '-0',
    '.5',
    '5.',
    `${'9'.repeat(40)}.5e99`,
    '1e+20',
  ],
  boolean: ['true', 'false', 't', 'TRUE', ''],
  instant: moments,
  localTime: moments,
  duration: ['-1', '0', '90000', '1.5', '25:00:00', '9'.repeat(19)],
  text: ['', '\u0000', 'a\u0000b', '\ud800', '\udc00a', '\\', '🏡'.repeat(500), '🏡'.repeat(501), '\uffff'],
};

/** Cursors of which most are wrong in one place. */
const forgeries = (kinds: ReadonlyMap<string, FieldKind>): Arbitrary<Forgery> =>
  fc.constantFrom(...kinds).chain(([field, kind]) =>
    fc
      .record({
        direction: fc.constantFrom<1 | -1>(1, -1),
        value: fc.oneof(
          fc.constantFrom<unknown>(...values[kind], null, 1, true),
          fc.string({ unit: 'binary' }),
        ),
        total: mostly(1, counts),
        id: mostly('1', ids),
      })
      .map((made) => ({ field, ...made })),
  );

const mostly = (right: unknown, others: readonly unknown[]) =>
  fc.oneof(
    { arbitrary: fc.constant(right), weight: 4 },
    { arbitrary: fc.constantFrom(...others), weight: 1 },
  );

/** What is always tried: a number that no list counts to, and a time that only some programs read. */
const examples = (kinds: ReadonlyMap<string, FieldKind>): Forgery[] => [
  { field: 'id', direction: 1, total: Number.MAX_SAFE_INTEGER, value: '1', id: '1' },
  ...[...kinds]
    .filter(([, kind]) => kind === 'instant' || kind === 'localTime')
    .map(
      ([field]) => ({ field, direction: 1, total: 1, value: '2026-01-01T00:00:00+23:00', id: '1' }) as const,
    ),
];

/** Expects a page or an error about `$after` for cursors of a list with two records or more, in any order and at any place. */
export async function expectNoFaults(
  api: Api,
  list: string,
  kinds: ReadonlyMap<string, FieldKind>,
  numRuns: number,
): Promise<void> {
  const property = fc.asyncProperty(forgeries(kinds), async (made) => {
    const order = `${list}?$sort[${made.field}]=${made.direction}&$limit=1&$after=`;
    const { next } = await api.list(order);
    const { status, body } = await api.get(`${order}${forged(next ?? '', made)}`);
    const names = Object.keys(status === 400 ? (body.errors as object) : {});
    expect([[200], [400, '$after']], JSON.stringify(made)).toContainEqual([status, ...names]);
  });
  await fc.assert(property, { seed, numRuns, examples: examples(kinds).map((made) => [made]) });
}

/** A cursor of the same list and order as another, at another place. */
function forged(cursor: string, { field, total, value, id }: Forgery): string {
  const [list, order] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
  const place = field === 'id' ? [value] : [value, id];
  return Buffer.from(JSON.stringify([list, order, total, ...place])).toString('base64url');
}
