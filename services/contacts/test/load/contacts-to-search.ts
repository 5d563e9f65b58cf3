import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase, provisionRole } from '@crm/data';
import { startPostgres } from '@crm/embedded';
import pg from 'pg';
import { contactsService } from '../../src/index.ts';

/** Names that are as varied as those of people: a few hundred first names and many thousand last names. */
const names = `
  select i, 1 + i % $users as owner,
    initcap(a[1 + i / $users * 7 % 20] || b[1 + i * 11 / 31 % 20]) as first_name,
    initcap(b[1 + i / $users % 20] || a[1 + i / 7 % 20] || b[1 + i / 10000 % 20] || a[1 + i * 3 / 17 % 20]) as last_name
  from generate_series(1, $count) i,
    (values (string_to_array('an,be,ca,da,el,fi,ga,ha,is,jo,ka,lu,ma,no,ol,pe,ro,sa,ti,vi', ','),
      string_to_array('na,rt,rlo,vid,len,ona,bri,nnes,abel,nas,ren,cas,rio,rman,iver,ter,bin,ndra,mon,ola', ','))) s (a, b)`;

/** One of ten contacts is assigned to another user; each has a phone, an e-mail address, an address and two tags. */
const statements = (count: number, users: number) => [
  'alter table addresses disable trigger user',
  `insert into tags (id, user_id, content) select i, 1 + i % ${users}, (array['Buyer', 'Seller', 'Investor', 'Past client',
     'First time', 'Luxury', 'Rental', 'Referral', 'Open house', 'Newsletter'])[1 + i / ${users}]
   from generate_series(0, ${users * 10 - 1}) i`,
  `insert into contacts (id, owner_user_id, assigned_user_id, first_name, last_name, email, mobile_phone,
     mobile_phone_e164, company, tags_tail, address_text, created_at, modified_at)
   select i, owner, case when i % 10 = 0 then 1 + (i + 7) % ${users} end, first_name, last_name,
     lower(first_name || '.' || last_name) || i % 97 || '@example.com', '604 ' || to_char(2000000 + i, 'FM000"-"0000'),
     '+1604' || 2000000 + i, case when i % 3 = 0 then last_name || ' Ltd' end, '', i % 9999 || ' Main Street Vancouver',
     now() - i * interval '1 second', now() - i * interval '1 second'
   from (${names.replaceAll('$users', String(users)).replace('$count', String(count))}) made`,
  `insert into addresses (contact_id, street_address_1, city, created_at, modified_at)
   select id, id % 9999 || ' Main Street', 'Vancouver', now(), now() from contacts`,
  `insert into contact_tags (contact_id, position, tag_id, lead)
   select c.id, p, (c.id * (3 + p) / ${users} % 10) * ${users} + c.owner_user_id - 1, '' from contacts c, generate_series(1, 2) p`,
  'alter table addresses enable trigger user',
  'vacuum analyze',
];

/** A database of its own with the contacts of many users, as the service opens it. */
export async function openContacts(cleanup: AsyncDisposableStack, count: number, users: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'crm-search-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir });
  cleanup.defer(postgres.stop);
  const { store } = contactsService;
  const url = await provisionRole(postgres.url, store.schema);
  await migrate(url, store);
  const client = new pg.Client({
    connectionString: url,
    options: '-c search_path=contacts -c maintenance_work_mem=512MB',
  });
  await client.connect();
  for (const statement of statements(count, users)) await client.query(statement);
  await client.end();
  const database = await openDatabase({ url, store });
  cleanup.defer(database.close);
  return database;
}
