import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Size } from './rows.ts';

const schemas = ['contacts', 'identity', 'leads_routing', 'campaigns_templates', 'scheduling'];

/** Waits until workers have done what follows from the requests, and all events have been published. */
export async function awaitServices(db: pg.Client): Promise<void> {
  const waiting = [
    `select from leads_routing.leads where claimed_by_user_id is not null and contact_owner_user_id is not null
       and contact_given_at is null`,
    'select from campaigns_templates.campaign_contacts where scheduled_at is null',
    ...schemas.map((schema) => `select from ${schema}.outbox where published_at is null`),
  ];
  const isAnyLeft = `select ${waiting.map((rows) => `exists (${rows})`).join(' or ')} as is_any_left`;
  const deadline = performance.now() + 120_000;
  for (;;) {
    const { rows } = await db.query(isAnyLeft);
    if (!rows[0].is_any_left) return;
    if (performance.now() > deadline) throw new Error('The services were still at work after two minutes.');
    await sleep(100);
  }
}

/** Removes what requests have left beside contacts, and what was prepared for them. */
export async function restoreActivity(db: pg.Client, { contacts }: Size): Promise<void> {
  // With their offers. Those of the seed have no route.
  await db.query('delete from leads_routing.leads where lead_route_id is not null');
  await db.query('delete from leads_routing.lead_routes');
  await db.query('delete from leads_routing.distribution_options');
  await db.query('delete from identity.teams');
  for (const table of ['campaigns_templates.campaign_contacts', ...ofEnrolments])
    await db.query(`delete from ${table} where contact_id > $1`, [contacts]);
  // With all that was issued to it.
  await db.query('delete from identity.applications');
  for (const schema of schemas) {
    await db.query(`delete from ${schema}.outbox where published_at is not null`);
    await db.query(`truncate ${schema}.audit_events`);
  }
  await db.query(`vacuum analyze ${[...written, ...schemas.map((schema) => `${schema}.outbox`)].join(', ')}`);
}

const ofEnrolments = ['scheduling.enrolments', 'scheduling.communications'];
const written = [
  ...ofEnrolments,
  'campaigns_templates.campaign_contacts',
  ...['leads_routing.leads', 'leads_routing.lead_offers'],
  ...['identity.access_tokens', 'identity.refresh_tokens', 'identity.token_families'],
];
