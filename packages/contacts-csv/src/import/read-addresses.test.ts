import { expect, it } from 'vitest';
import { readAddresses } from './read-addresses.ts';
import { remarksOn } from './remark.ts';

const typed = (value: string) => {
  const remarks = remarksOn(2);
  const column = { index: 0, header: 'Address Type', field: 'type', address: { n: 1, part: 'type' } };
  return {
    addresses: readAddresses([{ column, value }], { addressTypes: ['Home', 'Main Office'] }, remarks),
    remarks,
  };
};

it('an address gets the type that a synonym stands for', () => {
  expect(typed('work').addresses).toEqual([{ n: 1, fields: { type: 'Main Office' } }]);
});

it.each(['castle', 'constructor', 'toString', '__proto__'])(
  'an address does not get the type %s',
  (value) => {
    const { addresses, remarks } = typed(value);
    expect(addresses).toEqual([]);
    expect(remarks.warnings).toMatchObject([
      { column: 'Address Type', reason: expect.stringContaining(value) },
    ]);
  },
);
