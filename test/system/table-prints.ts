/** Tables that change without a request. */
const changing = [
  'migrations',
  'mikro_orm_migrations',
  'inbox',
  'inbox_failures',
  'published_streams',
  'rights',
  'signing_keys',
  'access_tokens',
  // Workers create and update these rows.
  'lead_alerts',
  'lead_route_alerts',
  'task_alerts',
  'account_mails',
  'sent_messages',
  // Reads on behalf of others are recorded, and what workers do.
  'audit_events',
  // A worker adds up its rows at any time. What they say, contacts says too.
  'contact_totals',
  'text_fetches',
  'opt_out_requests',
];

/** Columns that a worker updates. */
const marks: Readonly<Record<string, readonly string[]>> = {
  'scheduling.tasks': ['reminded_of', 'category_id'],
  'scheduling.task_series': ['category_id'],
  'scheduling.enrolment_ends': ['removed_at'],
  'contacts.imports': ['forgets_file', 'forgets_findings'],
  'contacts.import_parts': ['text'],
};

const ofImport = (condition: string) =>
  `exists (select from contacts.imports i where i.id = t.import_id and (${condition}))`;

/** Rows that are hidden and that a worker deletes later. */
const hidden: Readonly<Record<string, string>> = {
  'campaigns_templates.removed_campaigns': 'true',
  'campaigns_templates.campaign_contacts':
    'exists (select from campaigns_templates.removed_campaigns r where r.campaign_id = t.campaign_id)',
  ...Object.fromEntries(
    ['tags', 'hotnesses', 'contact_sources', 'custom_fields', 'static_lists'].map((table) => [
      `contacts.${table}`,
      't.removed_at is not null',
    ]),
  ),
  'scheduling.task_categories': 't.removed_at is not null',
  'scheduling.removed_contacts': 'true',
  'scheduling.removed_recipients': 'true',
  'scheduling.communications':
    'exists (select from scheduling.removed_recipients r where r.id = t.contact_id)',
  'identity.applications': 't.removed_at is not null',
  ...Object.fromEntries(
    ['token_families', 'consents'].map((table) => [
      `identity.${table}`,
      'exists (select from identity.applications a where a.id = t.application_id and a.removed_at is not null)',
    ]),
  ),
  'contacts.custom_field_values':
    'exists (select from contacts.custom_fields f where f.id = t.custom_field_id and f.removed_at is not null)',
  'contacts.static_list_contacts':
    'exists (select from contacts.static_lists l where l.id = t.static_list_id and l.removed_at is not null)',
  'contacts.import_rehearsals': ofImport('i.forgets_file or i.forgets_findings'),
  'contacts.import_remarks': ofImport('i.forgets_findings'),
  'contacts.contact_tags':
    'exists (select from contacts.tags g where g.id = t.tag_id and g.removed_at is not null)',
};

/** SQL for a checksum of each table of some schemas, without what workers change at any time. */
export async function printQuery(
  rows: (sql: string, values: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>,
  schemas: readonly string[],
) {
  const tables = await rows(
    `select nspname as schema, relname as name from pg_class join pg_namespace n on n.oid = relnamespace
     where nspname = any($1) and relkind in ('r', 'p') and not relispartition and relname <> all($2)`,
    [schemas, changing],
  );
  return tables
    .map(({ schema, name }) => {
      const table = `${schema}.${name}`;
      const changed = changedBy(table);
      return `select '${table}' as name, count(*) || ' rows ' || coalesce(${changed}, 0) as print
              from ${table} t where not (${hidden[table] ?? 'false'})`;
    })
    .join(' union all ');
}

/**
 * SQL for what changes with the rows of a table besides their number: the last transaction that wrote one, which costs a tenth
 * of reading what is in them. A worker updates rows of some tables, without the rest of which they are compared.
 */
function changedBy(table: string): string {
  // A row of the outbox is updated when it is published.
  if (table.endsWith('.outbox')) return 'max(t.id)';
  const mark = marks[table];
  // The sum of the hashes of the rows does not depend on their order.
  return mark
    ? `sum(hashtextextended((to_jsonb(t) - '{${mark}}'::text[])::text, 0)::numeric)`
    : 'max(t.xmin::text::bigint)';
}
