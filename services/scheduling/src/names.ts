export interface Named {
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** One line of limited length without control characters: a text may contain anything that somebody sent. */
export function oneLine(text: string, maxLength: number): string {
  const characters = [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()];
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength - 1).join('')}…`
    : characters.join('');
}

/** A name in one line, of at most 80 characters. */
export function nameOf({ first_name, last_name }: Named, otherwise: string): string {
  return oneLine([first_name, last_name].filter((part) => part !== null).join(' '), 80) || otherwise;
}
