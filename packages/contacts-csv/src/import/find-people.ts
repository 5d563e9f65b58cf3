import type { Person } from '../acting-client.ts';

/** Finds the user's colleagues by e-mail address, or by full name if only one of them has it. */
export function findPeople(people: readonly Person[]): (name: string) => number | undefined {
  const byName = Map.groupBy(people, ({ first_name, last_name }) =>
    folded(`${first_name ?? ''} ${last_name ?? ''}`),
  );
  const byEmail = new Map(people.map(({ id, email }) => [folded(email), id]));
  return (name) => {
    const [person, ...others] = byName.get(folded(name)) ?? [];
    return byEmail.get(folded(name)) ?? (others.length === 0 ? person?.id : undefined);
  };
}

const folded = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();
