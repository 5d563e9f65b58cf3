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

export const isNamed = (name: PersonName): boolean => fullName(name) !== '';

/** A name without what does not tell people apart. */
export interface PlainName {
  readonly full: string;
  readonly first: string;
  readonly last: string;
}

const plain = (name: PersonName): string => fullName(name).normalize('NFKC').toLowerCase();

export const plainName = ({ first_name, last_name }: PersonName): PlainName => ({
  full: plain({ first_name, last_name }),
  first: plain({ first_name }),
  last: plain({ last_name }),
});

export const isSameName = (one: PlainName, other: PlainName): boolean => one.full === other.full;

/** Whether the names may be those of one person: the parts that both have are the same. */
export const couldBeOne = (one: PlainName, other: PlainName): boolean =>
  isSameName(one, other) || (isSamePart(one.first, other.first) && isSamePart(one.last, other.last));

const isSamePart = (one: string, other: string): boolean => one === '' || other === '' || one === other;
