// How a program of ours calls a service: typed from its contract alone, without the code of the service.
// `node examples/internal-client.ts` runs it as the first person of the demo; CONTACTS_URL and CRM_TOKEN
// name another service and another caller.
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import { createClient } from '@crm/client';
import { contactsApi } from '@crm/contacts/api';
import { Refused } from '@crm/contract';

const { CONTACTS_URL, CRM_DATA_DIR, CRM_TOKEN } = env;
const contacts = createClient(contactsApi, {
  url: CONTACTS_URL ?? addressOfContacts(),
  token: CRM_TOKEN ?? firstDemoToken(),
});

const page = await contacts.contacts.find({ tags: 'buyer', $limit: 3 });
process.stdout.write(`${page.total} contacts are buyers; the first ones:\n`);
for (const { id, first_name, last_name, hotness } of page.data) {
  process.stdout.write(`  ${id} ${first_name} ${last_name} (${hotness?.name ?? 'no hotness'})\n`);
}

// The same key twice is one contact: a caller that got no answer may ask again.
const draft = { first_name: 'Grace', last_name: 'Hopper', email: 'grace.hopper@example.com' };
const idempotencyKey = `internal-client-${Date.now()}`;
const created = await contacts.contacts.create(draft, { idempotencyKey });
const again = await contacts.contacts.create(draft, { idempotencyKey });
process.stdout.write(`Created contact ${created.id}; asked again, it is still ${again.id}.\n`);

await contacts.contacts.remove({ id: created.id });
try {
  await contacts.contacts.get({ id: created.id });
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  process.stdout.write(`Then removed. Reading it is refused: ${error.name}, ${error.message}.\n`);
}

function addressOfContacts(): string {
  return String(kept('system.json').services.contacts);
}

function firstDemoToken(): string {
  return String(kept('demo.json').people[0].token);
}

/** What the running system keeps in its data folder. */
function kept(name: string) {
  const folder = CRM_DATA_DIR ?? new URL('../.crm', import.meta.url).pathname;
  return JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
}
