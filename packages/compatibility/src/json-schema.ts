export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textsOf = (value: unknown): string[] => listOf(value).map(String);

/** One form that a value may have. */
export interface Form {
  /** Without references, `allOf`, `anyOf`, `oneOf` and null. */
  readonly schema: Json;
  /** The name of the schema, if it has one. */
  readonly name?: string;
}

/** What a schema allows. */
export interface Allowed {
  readonly forms: readonly Form[];
  readonly nullable: boolean;
}

export function allowedBy(schema: unknown, document: Json): Allowed {
  const forms = formsOf(schema, document);
  return {
    forms: forms.flatMap(withoutNull),
    nullable: forms.some(({ schema }) => typesOf(schema).has('null')),
  };
}

/** The target of a reference, with its last segment as the name; a value that is not a reference is returned as it is. */
export function resolved(value: unknown, document: Json): { readonly value: Json; readonly name?: string } {
  const { $ref } = jsonOf(value);
  if (typeof $ref !== 'string') return { value: jsonOf(value) };
  const target = targetOf($ref, document);
  if (!isJson(target)) throw new Error(`The reference "${$ref}" cannot be resolved.`);
  const name = stepsOf($ref).at(-1);
  return { ...resolved(target, document), ...(name !== undefined && { name }) };
}

/** The direct target of a reference, which may be another reference or undefined. */
export const targetOf = ($ref: string, document: Json): unknown =>
  stepsOf($ref).reduce<unknown>((inner, step) => jsonOf(inner)[step], document);

const stepsOf = ($ref: string): string[] =>
  $ref
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function formsOf(schema: unknown, document: Json): Form[] {
  const { $ref, allOf, anyOf, oneOf, ...rest } = jsonOf(schema);
  const parts: Form[][] = [[{ schema: rest }]];
  if ($ref !== undefined) parts.push(referredTo({ $ref }, document));
  for (const part of listOf(allOf)) parts.push(formsOf(part, document));
  for (const choice of [anyOf, oneOf]) {
    if (Array.isArray(choice)) parts.push(choice.flatMap((part) => formsOf(part, document)));
  }
  return parts.reduce((left, right) => left.flatMap((one) => right.map((other) => both(one, other))));
}

function referredTo(reference: Json, document: Json): Form[] {
  const { value, name } = resolved(reference, document);
  const forms = formsOf(value, document);
  return forms.map((form) => (forms.length === 1 && name !== undefined ? { ...form, name } : form));
}

function both(one: Form, other: Form): Form {
  if (Object.keys(one.schema).every(isAnnotation)) return other;
  if (Object.keys(other.schema).every(isAnnotation)) return one;
  return { schema: together(one.schema, other.schema) };
}

/** If both set a limit, the second one counts: documents use it to refine the first, more general one. */
function together(one: Json, other: Json): Json {
  const [fields, more] = [jsonOf(one.properties), jsonOf(other.properties)];
  const shared = Object.keys(fields).filter((name) => name in more);
  const refined = shared.map((name) => [name, { allOf: [fields[name], more[name]] }]);
  const required = [...new Set([...textsOf(one.required), ...textsOf(other.required)])];
  return {
    ...one,
    ...other,
    ...((one.properties !== undefined || other.properties !== undefined) && {
      properties: { ...fields, ...more, ...Object.fromEntries(refined) },
    }),
    ...(required.length > 0 && { required }),
  };
}

/** Keywords that neither allow nor forbid anything. */
export const isAnnotation = (keyword: string): boolean =>
  annotations.has(keyword) || keyword.startsWith('x-');

const annotations = new Set([
  '$comment',
  '$id',
  '$schema',
  'default',
  'deprecated',
  'description',
  'example',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

const everyType = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** The types that a schema allows; without `type`, all of them. */
export function typesOf(schema: Json): ReadonlySet<string> {
  if (schema.type !== undefined) return new Set([schema.type].flat().map(String));
  const values = valuesOf(schema);
  return new Set(values ? values.map(typeOf) : everyType);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The only values that a schema allows, if it lists them. */
export function valuesOf(schema: Json): readonly unknown[] | undefined {
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

function withoutNull(form: Form): Form[] {
  const types = [...typesOf(form.schema)].filter((type) => type !== 'null');
  const values = valuesOf(form.schema)?.filter((value) => value !== null);
  if (types.length === 0 || values?.length === 0) return [];
  const isNullable = typesOf(form.schema).has('null') || values?.length !== valuesOf(form.schema)?.length;
  // A schema that allows anything remains without a type.
  if (!isNullable || (form.schema.type === undefined && !values)) return [form];
  const { const: _, ...schema } = form.schema;
  return [{ ...form, schema: { ...schema, type: types, ...(values && { enum: values }) } }];
}
