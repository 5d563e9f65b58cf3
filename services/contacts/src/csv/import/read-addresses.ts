import type { z } from 'zod';
import { contactsApi } from '../../api.ts';
import { addressPart } from '../fields.ts';
import type { Cell } from './read-cells.ts';
import type { Remarks } from './remark.ts';

type AddressType = NonNullable<z.output<typeof contactsApi.addresses.create.input>['type']>;

const types = contactsApi.addresses.get.output.shape.type.unwrap().options as readonly AddressType[];

const otherWords: Readonly<Record<string, AddressType>> = {
  work: 'Main Office',
  business: 'Main Office',
  office: 'Main Office',
  primary: 'Home',
  house: 'Home',
  vacation: 'Second Home',
};

/** An address of a row, and which one it is in the file: the others of the row may be empty. */
export interface NumberedAddress {
  readonly n: number;
  readonly fields: Readonly<Record<string, string>>;
}

/** The addresses of a row, in the order of their numbers. */
export function readAddresses(cells: readonly Cell[], remarks: Remarks): NumberedAddress[] {
  const addresses = new Map<number, Record<string, string>>();
  for (const { column, value } of cells) {
    const part = addressPart(column.field);
    if (!part) continue;
    const address = addresses.get(part.n) ?? {};
    addresses.set(part.n, address);
    if (part.part !== 'type') address[part.part] = value;
    else {
      const type = typeNamed(value);
      if (type === undefined)
        remarks.warn(column.header, `"${value}" is left out: the types are ${types.join(', ')}`);
      else address.type = type;
    }
    if (column.type !== undefined) address.type ??= column.type;
  }
  return [...addresses.entries()]
    .sort(([a], [b]) => a - b)
    .map(([n, fields]) => ({ n, fields }))
    .filter(({ fields }) => Object.keys(fields).length > 0);
}

function typeNamed(text: string): AddressType | undefined {
  const word = text.toLowerCase();
  return types.find((type) => type.toLowerCase() === word) ?? otherWords[word];
}

/** The header of a part of the n-th address. */
export function headerOfAddress(cells: readonly Cell[], n: number | undefined, part: string): string {
  const cell = cells.find(({ column }) => {
    const found = addressPart(column.field);
    return found?.n === n && found?.part === part;
  });
  return cell?.column.header ?? '';
}
