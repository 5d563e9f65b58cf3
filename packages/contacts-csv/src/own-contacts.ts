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
 * The contacts that belong to the user, a page at a time, oldest first; `request` makes one request for a page. The
 * first one counts all.
 */
export async function* ownContacts<Found>(
  { contacts, userId }: Finding<Found>,
  query: object,
  request: (find: () => Promise<PageOf<Found>>) => Promise<PageOf<Found>> = (find) => find(),
): AsyncGenerator<PageOf<Found>> {
  for (let $after: string | null = ''; $after !== null; ) {
    const asked = { ...query, owner_user_id: userId, $sort: { id: 1 }, $limit: pageSize, $after };
    const page = await request(() => contacts.contacts.find(asked));
    yield page;
    $after = page.next ?? null;
  }
}
