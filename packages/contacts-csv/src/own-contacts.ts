const pageSize = 1000;

interface PageOf<Found> {
  readonly total: number;
  readonly data: readonly Found[];
}

interface Finding<Found> {
  readonly userId: number;
  readonly contacts: { readonly contacts: { find(query: object): Promise<PageOf<Found>> } };
}

/** The contacts that belong to the user, a page at a time, oldest first; `request` makes one request for a page. */
export async function* ownContacts<Found extends { readonly id: number }>(
  { contacts, userId }: Finding<Found>,
  query: object,
  request: (find: () => Promise<PageOf<Found>>) => Promise<PageOf<Found>> = (find) => find(),
): AsyncGenerator<PageOf<Found>> {
  for (let after = 0; ; ) {
    const page = await request(() =>
      contacts.contacts.find({
        ...query,
        owner_user_id: userId,
        id: { $gt: after },
        $sort: { id: 1 },
        $limit: pageSize,
      }),
    );
    yield page;
    if (page.data.length < pageSize) return;
    after = page.data.at(-1)?.id ?? after;
  }
}
