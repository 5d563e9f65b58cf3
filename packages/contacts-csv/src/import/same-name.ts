/** The name of a contact or a row. A part that is missing may be any. */
export interface PersonName {
  readonly first_name?: string | null | undefined;
  readonly last_name?: string | null | undefined;
}

export const nameOf = ({ first_name, last_name }: PersonName): PersonName => ({ first_name, last_name });

/** In one line, without the characters that could begin another cell for a spreadsheet. */
export const fullName = ({ first_name, last_name }: PersonName): string =>
  [first_name, last_name]
    .join(' ')
    .replace(/[\s;]+/g, ' ')
    .trim();

const plainName = (text: string): string => text.normalize('NFKC').toLowerCase();

export const isSameName = (one: PersonName, other: PersonName): boolean =>
  plainName(fullName(one)) === plainName(fullName(other));

/** Whether the names may be those of one person: the parts that both have are the same. */
export const couldBeOne = (one: PersonName, other: PersonName): boolean =>
  isSameName(one, other) ||
  (['first_name', 'last_name'] as const).every((part) => {
    const [some, others] = [one, other].map((name) => plainName(fullName({ first_name: name[part] })));
    return some === '' || others === '' || some === others;
  });
