import { type DataType, kindsOfCustomFields } from './values/check-cell.ts';

const dataTypes = Object.keys(kindsOfCustomFields);

/** A custom field that a column fills, by its name. */
export interface CustomColumn {
  readonly name: string;
  /** The type of its values, if it has to be created. */
  readonly dataType: DataType;
}

/** `custom:Name`, or `custom(Number):Name` for a field whose values are not texts. */
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
