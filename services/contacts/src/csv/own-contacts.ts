import type { ActingClient, ContactsClient } from './acting-client.ts';

type Find = Parameters<ContactsClient['contacts']['find']>[0];
type Page = Awaited<ReturnType<ContactsClient['contacts']['find']>>;

const pageSize = 1000;

/** The contacts that belong to the user, a page at a time, oldest first; `request` makes one request for a page. */
export async function* ownContacts(
  { contacts, userId }: ActingClient,
  query: Find,
  request: (find: () => Promise<Page>) => Promise<Page> = (find) => find(),
): AsyncGenerator<Page> {
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
