import { readFewer } from './read-fewer.ts';

const pageSize = 1000;

interface PageOf<Found> {
  readonly total: number;
  readonly data: readonly Found[];
  readonly next?: string | null;
}

interface Finding<Found> {
  readonly userId: number;
  readonly contacts: { readonly contacts: { find(query: object): Promise<PageOf<Found>> } };
}

/**
 * The user's own contacts, a page at a time, oldest first; `request` makes one request for a page. The first request also counts
 * all of them. Pages shrink if so many contacts cannot be read in time.
 */
export async function* ownContacts<Found>(
  { contacts, userId }: Finding<Found>,
  query: object,
  request: (find: () => Promise<PageOf<Found>>) => Promise<PageOf<Found>> = (find) => find(),
): AsyncGenerator<PageOf<Found>> {
  let most = pageSize;
  for (let $after: string | null = ''; $after !== null; ) {
    const asked = { ...query, owner_user_id: userId, $sort: { id: 1 }, $after };
    const page = await request(async () => {
      const { found, limit } = await readFewer(most, ($limit) =>
        contacts.contacts.find({ ...asked, $limit }),
      );
      most = limit;
      return found;
    });
    yield page;
    $after = page.next ?? null;
  }
}
