interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: { readonly type: string; readonly enum?: readonly string[]; readonly const?: string };
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
}

/** JSON has its examples by name. */
interface Content {
  readonly examples?: { readonly typical: Example };
  readonly example?: unknown;
}
type Example = { readonly $ref: string } | { readonly value: unknown };

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown }>> };
}

/** The operations of an OpenAPI document, with what each demands and the body of its example. */
export function operationsIn({ paths, components }: Document) {
  const shown = (example: Example): unknown =>
    'value' in example ? example.value : components.examples[example.$ref.split('/').at(-1) ?? '']?.value;

  function inputOf({ parameters = [], requestBody }: Operation) {
    const [first] = Object.entries(requestBody?.content ?? {});
    const params = filled({ path: required(parameters, 'path'), query: required(parameters, 'query') });
    if (!first) return { params };
    const [type, { example, examples }] = first;
    return { params, type, body: examples ? shown(examples.typical) : example };
  }

  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId)
      .map(([method, operation]) => ({ at: path, method, operation, ...inputOf(operation) })),
  );
}

function required(parameters: readonly Parameter[], place: string) {
  const found = parameters.filter((one) => one.in === place && one.required);
  return Object.fromEntries(
    found.map(({ name, schema }) => [
      name,
      schema.const ?? schema.enum?.[0] ?? (schema.type === 'integer' ? 1 : 'x'),
    ]),
  );
}

/** Generated types refuse an empty object where an operation takes nothing. */
export function filled(parts: Readonly<Record<string, object>>): object {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0));
}
