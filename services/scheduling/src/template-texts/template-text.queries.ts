import { type Query, queryRows, untilFewer } from '@crm/data';
import { digestOf } from '@crm/delivery';
import { z } from 'zod';

/** Stores texts that are not stored yet; the same text of several templates is stored once. */
export async function storeTexts(query: Query, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  const byDigest = [...new Map(texts.map((text) => [digestOf(text), text]))].toSorted();
  await query(
    `insert into template_texts (digest, body) select * from unnest($1::text[], $2::text[]) text (digest, body)
     on conflict do nothing`,
    [byDigest.map(([digest]) => digest), byDigest.map(([, text]) => text)],
  );
}

const Digest = z.object({ digest: z.string() });

/** Prevents texts from being removed until the transaction ends, and returns the digests of those that are not stored. */
export async function missingAmong(query: Query, digests: readonly string[]): Promise<string[]> {
  if (digests.length === 0) return [];
  const kept = await queryRows(
    query,
    Digest,
    'select digest from template_texts where digest = any($1::text[]) order by digest for key share',
    [digests],
  );
  const stored = new Set(kept.map(({ digest }) => digest));
  return digests.filter((digest) => !stored.has(digest));
}

/** How many rows are processed in one transaction. */
const portion = 200;

/** Locks some texts that were not checked for an hour. Those that an enrolment is using are left for later. */
export async function lockUnchecked(query: Query): Promise<string[]> {
  const rows = await queryRows(
    query,
    Digest,
    `select digest from template_texts where checked_at < now() - interval '1 hour'
     order by checked_at limit ${portion} for update skip locked`,
    [],
  );
  return rows.map(({ digest }) => digest);
}

/** Removes the locked texts that no communication refers to. The others are checked again in an hour. */
export async function removeUnused(query: Query, digests: readonly string[]): Promise<void> {
  await query(
    `delete from template_texts t where t.digest = any($1::text[])
       and not exists (select from communications c where c.body_digest = t.digest)`,
    [digests],
  );
  await query('update template_texts set checked_at = now() where digest = any($1::text[])', [digests]);
}

/** Moves texts that instances of the previous release have stored in communications, in portions. */
export async function moveTexts(query: Query): Promise<void> {
  await untilFewer(portion, (most) =>
    query(
      `with own as (
         select id, body, encode(sha256(convert_to(body, 'UTF8')), 'hex') as digest from communications
         where body is not null and dispatch_state <> 'Sending'
         order by id limit $1::int for update skip locked
       ), stored as (
         insert into template_texts (digest, body) select distinct on (digest) digest, body from own order by digest
         on conflict do nothing
       )
       update communications c set body = null, body_digest = own.digest from own where c.id = own.id
       returning c.id`,
      [most],
    ),
  );
}
