import type { z } from 'zod';
import { contactsApi } from '../api.ts';

export type DataType = z.output<typeof contactsApi.customFields.get.output>['data_type'];

const dataTypes: readonly string[] = contactsApi.customFields.get.output.shape.data_type.options;

/** A custom field that a column fills, by its name. */
export interface CustomColumn {
  readonly name: string;
  /** The kind of its values if it has to be created. */
  readonly dataType: DataType;
}

/** `custom:Name`, or `custom(Number):Name` for a field with other values than texts. */
const form = /^custom(?:\((?<type>[^)]*)\))?:(?<name>.+)$/is;

export function readCustom(text: string): CustomColumn | undefined {
  const { type = 'Text', name = '' } = form.exec(text)?.groups ?? {};
  const dataType = dataTypes.find((one) => one.toLowerCase() === type.trim().toLowerCase());
  if (name.trim() === '' || dataType === undefined) return undefined;
  return { name, dataType: dataType as DataType };
}

export function customHeader({ name, dataType }: CustomColumn): string {
  return dataType === 'Text' ? `custom:${name}` : `custom(${dataType}):${name}`;
}
