import type { Acting, Contacts } from './acting-for.ts';

type Find = Parameters<Contacts['contacts']['find']>[0];
type Page = Awaited<ReturnType<Contacts['contacts']['find']>>;

const pageSize = 1000;

/** The contacts that belong to the user, a page at a time, the oldest first; `ask` asks for one page. */
export async function* ownContacts(
  { contacts, userId }: Acting,
  query: Find,
  ask: (find: () => Promise<Page>) => Promise<Page> = (find) => find(),
): AsyncGenerator<Page> {
  for (let after = 0; ; ) {
    const page = await ask(() =>
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
