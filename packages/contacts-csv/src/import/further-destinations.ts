import { plainName } from '@crm/contract';
import { unprotectCell } from '../csv/cells.ts';
import { addressesIn } from '../values/email.ts';
import { partsOf } from '../values/value.ts';

/** Which of several phones or addresses of the same person. */
const which =
  '(?:primary|main|preferred|second(?:ary)?|third|2nd|3rd|alternat(?:e|ive)|alt|additional|other|home|personal|private|work|business|office|school|car|old|new|contact|client|lead)?';
const end = String.raw`(?:#?\d{1,2})?(?:value|address|number)?`;

const email = new RegExp(`^${which}email(?:s|addresse?s?)?${which}${end}$`);
const phone = new RegExp(
  `^${which}(?:(?:cell|mobile|home|work)?(?:tele)?phone|cell|mobile|tel)s?(?:number)?s?${which}${end}$`,
);

/**
 * The phones and e-mail addresses of a person under names that fill no field, such as `Email 2` or `Business Phone 2`. Those of
 * the spouse, the agent or a lender have other names.
 */
export function furtherDestinations(named: readonly (readonly [name: string, value: string])[]) {
  const valuesOf = (form: RegExp) =>
    named
      .filter(([name]) => form.test(plainName(name).replace(/[()/:?]/g, '')))
      .map(([, value]) => unprotectCell(value));
  return {
    phones: valuesOf(phone).flatMap((value) => partsOf(value, ':::')),
    emails: valuesOf(email).flatMap(addressesIn),
  };
}
