import { hash } from 'node:crypto';
import { stringify } from 'yaml';

/** The place of a value of the chart in a manifest. */
class Place {
  readonly path: string;
  readonly form: 'value' | 'hash' | 'unless scaled';

  constructor(path: string, form: Place['form']) {
    this.path = path;
    this.form = form;
  }
}

/** A manifest in which values of the chart take the place of parts. */
export type Templated<Type> =
  | Place
  | (Type extends readonly (infer Item)[]
      ? readonly Templated<Item>[]
      : Type extends object
        ? { readonly [Key in keyof Type]: Templated<Type[Key]> }
        : Type);

/** `.Values.<path>` of the chart. */
export const value = (path: string): Place => new Place(path, 'value');

/** A hash of a value, which changes a pod when the value changes. */
export const hashOf = (path: string): Place => new Place(path, 'hash');

/** A number of replicas, which is left to the autoscaler if there is one. */
export const unlessScaled = (path: string): Place => new Place(path, 'unless scaled');

/** What must hold of the values for a manifest to be there: the value at a path is true, or equals a text. */
export interface Condition {
  readonly path: string;
  readonly equals?: string;
}

export interface Manifest {
  readonly when?: readonly Condition[];
  readonly object: object;
}

export type Values = Readonly<Record<string, unknown>>;

const scaled: Condition = { path: 'autoscaling.kind', equals: 'none' };

/** A file of the chart. Values are written as JSON, which is YAML on one line. */
export function chartFile(manifests: readonly Manifest[]): string {
  return manifests
    .map(({ when = [], object }) => {
      const text = `---\n${templateOf(object)}`;
      if (when.length === 0) return text;
      const tests = when.map(({ path, equals }) =>
        equals === undefined ? `.Values.${path}` : `(eq .Values.${path} "${equals}")`,
      );
      const test = tests.length === 1 ? tests[0]?.replace(/^\((.*)\)$/, '$1') : `and ${tests.join(' ')}`;
      return `{{- if ${test} }}\n${text}{{- end }}\n`;
    })
    .join('');
}

function templateOf(object: object): string {
  const places: Place[] = [];
  const marked = mapPlaces(object, (place) => `PLACE${places.push(place) - 1}PLACE`);
  return yamlOf(marked).replaceAll(/"?PLACE(\d+)PLACE"?/g, (_, index) => expressionOf(places[Number(index)]));
}

function expressionOf(place: Place | undefined): string {
  if (!place) throw new Error('A place has no value.');
  const json = `toJson .Values.${place.path}`;
  if (place.form === 'hash') return `{{ ${json} | sha256sum }}`;
  if (place.form === 'value') return `{{ ${json} }}`;
  return `{{ if eq .Values.${scaled.path} "${scaled.equals}" }}{{ ${json} }}{{ else }}null{{ end }}`;
}

/** The manifests with values in their places, as `helm template` writes them. */
export function rendered(manifests: readonly Manifest[], values: Values): object[] {
  const shown = manifests.filter(({ when = [] }) => when.every((condition) => holds(condition, values)));
  return shown.map(({ object }) => mapPlaces(object, (place) => valueAt(place, values)) as object);
}

export const yamlOf = (object: unknown): string =>
  stringify(object, { lineWidth: 0, aliasDuplicateObjects: false });

function valueAt({ path, form }: Place, values: Values): unknown {
  const found = lookUp(path, values);
  if (form === 'hash') return hash('sha256', canonicalJson(found));
  return form === 'unless scaled' && !holds(scaled, values) ? undefined : found;
}

function holds({ path, equals }: Condition, values: Values): boolean {
  const found = lookUp(path, values);
  return equals === undefined ? isTrue(found) : found === equals;
}

/** As Go's templates see it: what is empty is false. */
const isTrue = (found: unknown): boolean =>
  found !== null && typeof found === 'object' ? Object.keys(found).length > 0 : Boolean(found);

function lookUp(path: string, values: Values): unknown {
  const found = path.split('.').reduce<unknown>((part, key) => (part as Values | undefined)?.[key], values);
  if (found === undefined) throw new Error(`The chart has no value ${path}.`);
  return found;
}

/** As Go writes it, with sorted keys. */
function canonicalJson(input: unknown): string {
  const sorted = (_: string, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part;
  return JSON.stringify(input, sorted).replaceAll(
    /[<>&]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  );
}

function mapPlaces(part: unknown, replace: (place: Place) => unknown): unknown {
  if (part instanceof Place) return replace(part);
  if (Array.isArray(part)) return part.map((item) => mapPlaces(item, replace));
  if (part === null || typeof part !== 'object') return part;
  const entries = Object.entries(part).map(([key, inner]) => [key, mapPlaces(inner, replace)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}
