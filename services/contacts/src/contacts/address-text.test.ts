import { seed, someone } from '@crm/testing';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const part = fc.option(fc.constantFrom('12 Elm Street', 'A-98101', '٣ 90210', ' two  blanks ', '🏡'), {
  nil: null,
});
const address = fc.record(
  { street_address_1: part, street_address_2: part, city: part, state: part, zip: part },
  { requiredKeys: [] },
);

describe('the words of the addresses of a new contact', () => {
  it('are written once, as the triggers on addresses would write them', async () => {
    const anna = someone();
    const property = fc.asyncProperty(
      fc.array(address, { minLength: 1, maxLength: 3 }),
      async (addresses) => {
        const { id } = await contacts.as(anna).contacts.create({ first_name: 'Zoë', addresses });
        // A row that a later statement of its transaction has written again has the number of that statement.
        const [row] = await contacts.rows(
          `select c.address_text is not null as filled, bool_and(c.cmin::text::int < a.cmin::text::int) as once
         from contacts c join addresses a on a.contact_id = c.id where c.id = $1 group by c.id`,
          [id],
        );
        expect(row).toEqual({ filled: true, once: true });
      },
    );
    await fc.assert(property, { seed, numRuns: 40 });
  });
});
