import { pathParameters } from '@crm/contract';
import type { Route } from '@crm/gateway';
import fc from 'fast-check';
import { z } from 'zod';
import { aliases, alsoNumbers, dependent, distinct, forms, named, tolerated } from './known.ts';

export type WritableKind =
  | 'text'
  | 'choice'
  | 'pattern'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'instant'
  | 'localTime'
  | 'zone'
  | 'reference'
  | 'nested';

/** What a client may write into one field, according to the contract. */
export interface Field {
  readonly name: string;
  readonly kind: WritableKind;
  readonly nullable: boolean;
  readonly required: boolean;
  readonly least: number;
  readonly most: number;
  readonly choices: readonly string[];
  readonly pattern: RegExp | undefined;
  /** Whether a text has the required form. */
  readonly takes: (text: string) => boolean;
  /** The field that shows what was written: this one, or the one that it is an alias of. */
  readonly shownAs: string;
  /** For a unique field, whether a second record with the same value is the existing one or is rejected. */
  readonly distinct: 'found' | 'refused' | undefined;
  /** What a reference refers to. */
  readonly target: string | undefined;
  /** Whether a reference is accepted whatever its id is. */
  readonly tolerated: boolean;
  /** Whether a text may also be sent as a number. */
  readonly alsoNumber: boolean;
  /** Whether other fields decide which of its values are valid. */
  readonly dependent: boolean;
  /** Whether it is ignored with the values that tests give to other fields. */
  readonly ignored: boolean;
  /** Whether an empty text is read as null. */
  readonly emptyIsNull: boolean;
}

/** Fields that are ignored with the values that `fixed` gives to others. They are tested with their resource. */
const ignored: readonly string[] = [
  'campaignActions.recurrence',
  'campaignActions.delay_by_days',
  'campaignActions.dispatch_time',
  'campaignActions.dispatch_datetime',
  'campaignActions.notes',
  'leadRoutes.team_selection_method',
  'leadRoutes.team_id',
];

/** Fields that can be null, for which an empty text means null although they are no references or dates. */
const emptyIsNull: readonly string[] = [
  'templates.file_id',
  'teams.distribution_zipcodes',
  'leadRoutes.team_selection_method',
  'addresses.type',
];

type Schema = z.core.JSONSchema.BaseSchema;

const known = new Map<string, readonly Field[]>();

/** The fields in the body of an operation. */
export function writableFields(route: Route): readonly Field[] {
  const fields = known.get(route.procedure) ?? fieldsOf(route);
  known.set(route.procedure, fields);
  return fields;
}

function fieldsOf({ procedure, path, operation }: Route): Field[] {
  const [resource = ''] = procedure.split('.');
  const json = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  const elsewhere = new Set([...pathParameters(path), ...(operation.query ?? [])]);
  return Object.entries(json.properties ?? {}).flatMap(([name, schema]) =>
    name.startsWith('$') || elsewhere.has(name) || typeof schema !== 'object'
      ? []
      : [fieldOf(resource, name, schema, json.required?.includes(name) ?? false)],
  );
}

/** Fields with a single value of their own: no references, aliases or nested values. */
export const plainFields = (route: Route): Field[] =>
  writableFields(route).filter(
    ({ name, kind, shownAs, dependent }) =>
      kind !== 'nested' && kind !== 'reference' && shownAs === name && !dependent,
  );

function fieldOf(resource: string, name: string, schema: Schema, required: boolean): Field {
  const whole = `${resource}.${name}`;
  const nullable = schema.anyOf?.some((option) => option.type === 'null') ?? false;
  const value = (nullable ? schema.anyOf?.find((option) => option.type !== 'null') : schema) ?? schema;
  const kind = kindOf(name, value);
  const isText = kind === 'text';
  return {
    name,
    kind,
    nullable,
    required,
    least: (isText ? value.minLength : value.minimum) ?? (isText ? 0 : Number.NEGATIVE_INFINITY),
    most: (isText ? value.maxLength : value.maximum) ?? Number.POSITIVE_INFINITY,
    choices: (value.enum ?? []).map(String),
    pattern: kind === 'pattern' ? new RegExp(value.pattern ?? '') : undefined,
    takes: forms[whole] ?? (() => true),
    shownAs: aliases[whole] ?? name,
    distinct: distinct[whole],
    target: kind === 'reference' ? (named[whole] ?? named[name]) : undefined,
    tolerated: tolerated.includes(whole),
    alsoNumber: alsoNumbers.includes(whole),
    dependent: dependent.includes(whole),
    ignored: ignored.includes(whole),
    emptyIsNull:
      nullable && (emptyIsNull.includes(whole) || ['reference', 'instant', 'localTime'].includes(kind)),
  };
}

function kindOf(name: string, { type, format, pattern, enum: choices, minimum }: Schema): WritableKind {
  if (choices) return 'choice';
  if (type === 'integer') return name.endsWith('_id') && (minimum ?? -1) >= 0 ? 'reference' : 'integer';
  if (type === 'number' || type === 'boolean') return type;
  if (type !== 'string') return 'nested';
  if (name === 'timezone') return 'zone';
  if (format === 'date-time') return 'instant';
  if (format === 'date-time-local' || format === 'local-date-time') return 'localTime';
  return pattern === undefined ? 'text' : 'pattern';
}

const zones = ['America/Denver', 'UTC', 'Asia/Kolkata'];

/** Texts of so many characters, unless a request cannot have two of them. */
const longTexts = (length: number) =>
  ['x', '🏡', 'é']
    .filter((letter) => Buffer.byteLength(letter) * length <= 501_000)
    .map((letter) => letter.repeat(length));

/** Values that are returned exactly as they were sent. */
export function faithfulValues({ kind, least, most, choices, pattern, takes }: Field): readonly unknown[] {
  switch (kind) {
    case 'text':
      return [
        ...longTexts(most),
        ' spaces and \t\n lines ',
        `"'\\;--<b>%_$`,
        'Ünï ﷽ é',
        ...(least === 0 ? [''] : []),
      ]
        .map((text) => [...text].slice(0, most).join(''))
        .filter(takes);
    case 'choice':
      return choices;
    case 'pattern':
      return pattern ? fc.sample(fc.stringMatching(pattern), { numRuns: 5, seed: 1 }) : [];
    case 'integer':
      return [least, most, 0].filter((value) => value >= least && value <= most);
    case 'number':
      return [0, -1.5, 1234.25, 47.60620949999999, 1e-7];
    case 'boolean':
      return [true, false];
    case 'zone':
      return zones;
    case 'instant':
      return ['2026-02-28T23:59:59.999Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
    default:
      return [];
  }
}

/** Other spellings of values, with what they mean. */
export function otherSpellings({
  kind,
  least,
  most,
  takes,
  alsoNumber,
  emptyIsNull,
}: Field): readonly (readonly [sent: unknown, meant: unknown])[] {
  const none = emptyIsNull ? ([['', null]] as const) : [];
  switch (kind) {
    case 'text':
      return [...(alsoNumber ? [] : [5]), 1.5, true, false]
        .map((sent) => [sent, String(sent)] as const)
        .filter(([, text]) => text.length >= least && text.length <= most && takes(text));
    case 'integer':
      return [
        ...none,
        [String(Math.min(12, most)), Math.min(12, most)],
        ...(least < 0 ? ([['-3', -3]] as const) : []),
      ];
    case 'number':
      return [1.5, -47.60620949999999, 1e-7].map((value) => [String(value), value] as const);
    case 'boolean':
      return [
        ['true', true],
        ['false', false],
        ['1', true],
        ['0', false],
        [1, true],
        [0, false],
      ];
    case 'instant':
      return [
        ['2026-03-01', '2026-03-01T00:00:00.000Z'],
        ['2026-03-01T09:00:00+02:00', '2026-03-01T07:00:00.000Z'],
        ['2026-03-01 09:00:00', '2026-03-01T09:00:00.000Z'],
        ...none,
      ];
    default:
      return none;
  }
}

const notWhole = [1.5, '1.5', 'x', ' 1', '0x10', '１', true, [], {}, 2 ** 53, '1e3'];

/** Invalid values for the field. Those in `raw` are JSON that `JSON.stringify` cannot produce. */
export function wrongValues(field: Field): {
  readonly values: readonly unknown[];
  readonly raw: readonly string[];
} {
  const raw = ['1e400', '-1e400', '9007199254740993'];

  const { kind, least, most, choices, takes, alsoNumber } = field;
  // A new record without a value for an optional field gets the default.
  const none = field.nullable || !field.required ? [] : [null];
  const empty = field.emptyIsNull || !field.required ? [] : [''];
  switch (kind) {
    case 'text':
      return {
        values: [
          ...longTexts(most + 1),
          ...(least > 0 ? ['x'.repeat(least - 1)] : []),
          'a\u0000b',
          '\ud800',
          'a\udc00b',
          ...(alsoNumber ? [5.5e300] : [5, true].filter((sent) => !takes(String(sent)))),
          [],
          {},
          ['a'],
          ...[' a', 'a ', '\ta', 'a\n', ' ', 'a,b', ',', 'a,'].filter((text) => !takes(text)),
          ...none,
        ],
        raw,
      };
    case 'choice': {
      const [first = ''] = choices;
      const near = [
        `${first} `,
        ` ${first}`,
        first.toLowerCase(),
        first.toUpperCase(),
        ...empty,
        'None of them',
      ];
      return {
        values: [...near.filter((one) => !choices.includes(one)), 5, true, [], [first], {}, ...none],
        raw,
      };
    }
    case 'pattern': {
      const [good = ''] = faithfulValues(field);
      return {
        values: [`${good}0`, `x${good}`, `${good}\n`, ...empty, '\u0000', '\ud800', 5, true, [], {}, ...none],
        raw,
      };
    }
    case 'integer':
      return { values: [...notWhole, ...empty, most + 1, least - 1, ...none], raw };
    case 'reference':
      return field.tolerated
        ? {
            values: [...notWhole.filter((sent) => !Number.isInteger(sent)), ...empty, ...none],
            raw: ['1e400'],
          }
        : { values: [...notWhole, ...empty, -1, '-1', most + 1, ...none], raw };
    case 'number':
      return {
        values: ['x', ...empty, true, [], {}, ' 1', '0x10', 'NaN', 'Infinity', '1e400', ...none],
        raw,
      };
    case 'boolean':
      return { values: ['yes', 'TRUE', ...empty, 2, -1, [], {}, ...none], raw };
    case 'instant':
      return {
        values: [
          'tomorrow',
          ...(field.nullable ? [] : empty),
          '2026-02-30',
          '2026-02-30T00:00:00Z',
          '2026-13-01T00:00:00Z',
          '2026-01-01T25:00:00Z',
          '2026-01-01T00:00:00+99:00',
          '26-01-01',
          '12026-01-01T00:00:00Z',
          5,
          true,
          [],
          {},
          ...none,
        ],
        raw,
      };
    case 'localTime':
      return {
        values: [
          'tomorrow',
          ...(field.nullable ? [] : empty),
          '2026-02-30',
          '26-01-01',
          '2026-01-01T25:00',
          5,
          true,
          [],
          {},
          ...none,
        ],
        raw,
      };
    case 'zone':
      return { values: ['Denver', '+02:00', 'x'.repeat(65), 'a\u0000b', 5, true, [], {}, ...none], raw };
    case 'nested':
      return { values: ['x', 5, true, [5], ['x'], ...none], raw: [] };
  }
}

/** A value for each number, distinct if the kind has enough values. */
export function valueNumbered({ name, kind, least, most, choices, pattern }: Field, n: number): unknown {
  switch (kind) {
    case 'text':
      return `${n} ${name}`.slice(0, most);
    case 'choice':
      return choices[n % choices.length];
    case 'pattern':
      return pattern && fc.sample(fc.stringMatching(pattern), { numRuns: 1, seed: n })[0];
    case 'integer':
      return Math.max(least, Math.min(most, n));
    case 'number':
      // With as many digits as a double has.
      return n + 1 / 3;
    case 'boolean':
      return n % 2 === 0;
    case 'zone':
      return zones[n % zones.length];
    case 'instant':
      return `2026-01-${String((n % 28) + 1).padStart(2, '0')}T00:00:00.000Z`;
    case 'localTime':
      return `2026-01-${String((n % 28) + 1).padStart(2, '0')}T09:00:00`;
    default:
      return undefined;
  }
}
