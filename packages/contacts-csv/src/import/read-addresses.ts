import type { Format } from '../format.ts';
import type { Cell } from './cell.ts';
import type { Remarks } from './remark.ts';

const otherWords: Readonly<Record<string, string>> = {
  work: 'Main Office',
  business: 'Main Office',
  office: 'Main Office',
  primary: 'Home',
  house: 'Home',
  vacation: 'Second Home',
};

/** An address of a row, with its number in the file: the other addresses of the row may be empty. */
export interface NumberedAddress {
  readonly n: number;
  readonly fields: Readonly<Record<string, string>>;
}

/** The addresses of a row, in the order of their numbers. */
export function readAddresses(
  cells: readonly Cell[],
  { addressTypes }: Pick<Format, 'addressTypes'>,
  remarks: Remarks,
): NumberedAddress[] {
  const addresses = new Map<number, Record<string, string>>();
  for (const { column, value } of cells) {
    if (!column.address) continue;
    const { n, part } = column.address;
    const address = addresses.get(n) ?? {};
    addresses.set(n, address);
    if (part !== 'type') address[part] = value;
    else {
      const type = typeNamed(value, addressTypes);
      if (type === undefined)
        remarks.warn(column.header, `"${value}" is left out: the types are ${addressTypes.join(', ')}`);
      else address.type = type;
    }
    if (column.type !== undefined) address.type ??= column.type;
  }
  return [...addresses.entries()]
    .sort(([a], [b]) => a - b)
    .map(([n, fields]) => ({ n, fields }))
    .filter(({ fields }) => Object.keys(fields).length > 0);
}

function typeNamed(text: string, types: readonly string[]): string | undefined {
  const word = text.toLowerCase();
  const meant = Object.hasOwn(otherWords, word) ? otherWords[word] : undefined;
  return types.find((type) => type.toLowerCase() === word) ?? meant;
}

/** The header of a part of the n-th address. */
export function headerOfAddress(cells: readonly Cell[], n: number | undefined, part: string): string {
  const cell = cells.find(({ column: { address } }) => address?.n === n && address?.part === part);
  return cell?.column.header ?? '';
}
