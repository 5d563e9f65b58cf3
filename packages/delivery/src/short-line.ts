/** One line of limited length without control characters, because senders may put anything into a text. */
export function shortLine(text: string, maxLength: number): string {
  const characters = [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()];
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength - 1).join('')}…`
    : characters.join('');
}

export interface Named {
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** A name in one line of at most 80 characters; `otherwise` if there is no person or no name. */
export function nameOf(person: Named | undefined, otherwise: string): string {
  return shortLine([person?.first_name, person?.last_name].filter(Boolean).join(' '), 80) || otherwise;
}
