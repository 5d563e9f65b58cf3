// How an internal program calls a service: typed from its contract alone, without loading the service's code.
// `npx node examples/internal-client.ts` runs as the first demo user. Set CONTACTS_URL and CRM_TOKEN for another
// service or another user.
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
process.stdout.write(`${page.total} contacts are buyers. The first ones:\n`);
for (const { id, first_name, last_name, hotness } of page.data) {
  process.stdout.write(`  ${id} ${first_name} ${last_name} (${hotness?.name ?? 'no hotness'})\n`);
}

// Two requests with the same key create one contact, so a caller that got no response can retry.
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
  process.stdout.write(`Removed it. Reading it now fails: ${error.name}, ${error.message}.\n`);
}

function addressOfContacts(): string {
  return String(kept('system.json').services.contacts);
}

function firstDemoToken(): string {
  return String(kept('demo.json').people[0].token);
}

/** A file that the running system keeps in its data folder. */
function kept(name: string) {
  const folder = CRM_DATA_DIR ?? new URL('../.crm', import.meta.url).pathname;
  return JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
}
