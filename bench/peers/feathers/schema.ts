import { Ajv } from '@feathersjs/schema';
import { getValidator, querySyntax, type TSchema, Type } from '@feathersjs/typebox';
import {
  addressTexts,
  addressTypes,
  integers,
  longestTags,
  moments,
  mostAddresses,
  references,
  textNames,
  texts,
} from '../contact-fields.ts';

const orNull = (type: TSchema) => Type.Union([type, Type.Null()]);
const textOf = (maxLength: number) => orNull(Type.String({ maxLength }));
const each = (names: readonly string[], type: () => TSchema) =>
  Object.fromEntries(names.map((name) => [name, type()]));
const textsOf = (lengths: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(lengths).map(([name, most]) => [name, textOf(most)]));

const fields = { ...textsOf(texts), ...each(references, () => orNull(Type.Integer())) };
const addressType = Type.Union([...addressTypes.map((name) => Type.Literal(name)), Type.Null()]);
const address = Type.Partial(
  Type.Object({ type: addressType, ...textsOf(addressTexts) }, { additionalProperties: false }),
);
const parts = { tags: textOf(longestTags), addresses: Type.Array(address, { maxItems: mostAddresses }) };

const data = Type.Partial(
  Type.Object({ ...fields, ...parts }, { $id: 'ContactData', additionalProperties: false }),
);
const patch = Type.Partial(Type.Object(fields, { $id: 'ContactPatch', additionalProperties: false }));
const queried = {
  ...each(integers, () => Type.Integer()),
  ...each([...textNames, ...moments], () => Type.String()),
};
const query = querySyntax(Type.Object(queried, { $id: 'ContactQuery' }));

const dataValidator = new Ajv({ coerceTypes: true, removeAdditional: true });

export const validators = {
  create: getValidator(data, dataValidator),
  patch: getValidator(patch, dataValidator),
  query: getValidator(query, new Ajv({ coerceTypes: true })),
};
