import type { ActingClient } from '../acting-client.ts';
import { persistently } from '../persistently.ts';

/** Finds people whom the user works with by e-mail address, or by full name if only one has it. */
export async function findPeople(client: ActingClient): Promise<(name: string) => number | undefined> {
  const people = await persistently(() => client.colleagues());
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
