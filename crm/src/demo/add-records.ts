import { agency, contactsEach, demoContact } from './agency.ts';
import { listUntilFilled, type Rest, restAs } from './rest.ts';

/** The sources of a new account are created by an event handler, shortly after the account. */
const sourcesMs = 4_000;

/** Creates the missing hotnesses and contacts of a user; `owner` is the user's index in the agency. */
export async function addRecords(gateway: string, token: string, owner: number): Promise<void> {
  const rest = restAs(gateway, token);
  const [hotnesses, sources, known] = await Promise.all([
    addHotnesses(rest, owner),
    listUntilFilled(rest, '/contact-sources?$limit=50', sourcesMs),
    rest.list('/contacts?$limit=1000&$select[]=email'),
  ]);
  const emails = new Set(known.data.map(({ email }) => email));
  const adding = Array.from({ length: contactsEach }, async (_, index) => {
    const contact = demoContact(owner, index);
    if (emails.has(contact.email)) return;
    const source = sources.data[index % Math.max(sources.data.length, 1)];
    const references = {
      hotness_id: hotnesses[index % hotnesses.length] ?? null,
      source_id: source?.id ?? null,
    };
    await rest.create('/contacts', { ...contact, ...references }, `demo-contact-${owner}-${index}`);
  });
  await Promise.all(adding);
}

async function addHotnesses(rest: Rest, owner: number): Promise<number[]> {
  const { data } = await rest.list('/hotnesses?$limit=1000');
  const known = new Map(data.map(({ name, id }) => [name, id]));
  const ids = agency.hotnesses.map(async (hotness) => {
    const id = known.get(hotness.name);
    const { id: added } = id
      ? { id }
      : await rest.create('/hotnesses', hotness, `demo-hotness-${owner}-${hotness.rank}`);
    return Number(added);
  });
  return Promise.all(ids);
}
