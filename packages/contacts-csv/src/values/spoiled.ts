/** A number as spreadsheets show it in a narrow column: `5,03556E+09`. The omitted digits are lost. */
const scientific = /^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i;

export const isShortened = (text: string): boolean => scientific.test(text);

export const shortened =
  'is a number that a spreadsheet has shortened, so that its last digits are lost: format the column as text, fill in the numbers again from where they came from, and save the file again';

const dayNumber = /^(\d{4,6})(?:[.,]\d+)?$/;

/** The date of a spreadsheet's day number, such as 29221; undefined for any other text. */
export function dateOfDayNumber(text: string): string | undefined {
  const [, days] = dayNumber.exec(text) ?? [];
  if (days === undefined) return undefined;
  return Temporal.PlainDate.from('1899-12-30')
    .add({ days: Number(days) })
    .toString();
}

export const dayNumbered = (date: string): string =>
  `is the number of a day, as spreadsheets store dates (here perhaps ${date}): format the column as a date like YYYY-MM-DD and save the file again`;
