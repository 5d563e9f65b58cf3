import {
  find,
  forbidden,
  id,
  instant,
  internal,
  notFound,
  operation,
  pageOf,
  record,
  text,
} from '@crm/contract';
import { z } from 'zod';

export const ContactSourceView = z.object({
  id,
  name: text(200).min(1, { error: 'must not be empty' }),
  user_id: id.describe('The user who created it'),
  created_at: instant,
  modified_at: instant,
});

/** With its version, so that services that keep a copy can tell which of two is newer. */
export const VersionedContactSource = z.object({
  id: z.int(),
  name: z.string(),
  version: z.int(),
  is_removed: z.boolean(),
});

/** The sources that most agents use, for contacts and for leads. */
export const defaultSourceNames = ['Zillow', 'Trulia', 'Realtor.com', 'Facebook', 'Website', 'Referral'];

const draft = ContactSourceView.pick({ name: true });

export const contactSourceApi = {
  find: operation({
    rest: 'GET /contact-sources',
    summary: 'List contact sources',
    input: find(ContactSourceView),
    output: pageOf(ContactSourceView),
  }),
  get: operation({
    rest: 'GET /contact-sources/:id',
    summary: 'Read a contact source',
    input: record(ContactSourceView, { id }),
    output: ContactSourceView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /contact-sources',
    summary: 'Add a contact source',
    input: draft,
    output: ContactSourceView,
    refuses: [forbidden],
  }),
  patch: operation({
    rest: 'PATCH /contact-sources/:id',
    summary: 'Rename a contact source',
    input: record(ContactSourceView, { id, ...draft.partial().shape }),
    output: ContactSourceView,
    refuses: [notFound],
  }),
  remove: operation({
    rest: 'DELETE /contact-sources/:id',
    summary: 'Remove a contact source, also from the contacts that have it',
    input: record(ContactSourceView, { id }),
    output: ContactSourceView,
    refuses: [notFound],
  }),
  lastChanged: internal({
    kind: 'query',
    for: 'user',
    summary: "The caller's most recently changed or removed contact sources, the latest last",
    input: z.object({ limit: z.int().min(1).max(1000) }),
    output: z.array(VersionedContactSource),
  }),
};
