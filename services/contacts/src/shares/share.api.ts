import {
  find,
  forbidden,
  id,
  ids,
  instant,
  internal,
  notFound,
  operation,
  pageOf,
  record,
} from '@crm/contract';
import { identityApi } from '@crm/identity/api';
import { z } from 'zod';

export const ShareView = z.object({
  id,
  user_id: id.describe('The user who may see and change the contact'),
  shared_by_user_id: id,
  created_at: instant,
});

const contact_id = id;

export const shareApi = {
  find: operation({
    rest: 'GET /contacts/:contact_id/shares',
    summary: 'List the shares of a contact',
    input: find(ShareView, { own: { contact_id } }),
    output: pageOf(ShareView),
    refuses: [notFound],
  }),
  get: operation({
    rest: 'GET /contacts/:contact_id/shares/:id',
    summary: 'Read a share',
    input: record(ShareView, { contact_id, id }),
    output: ShareView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /contacts/:contact_id/shares',
    summary: 'Share a contact with a colleague (owner and teammates of the owner only)',
    input: z.object({ contact_id, user_id: id }),
    output: ShareView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /contacts/:contact_id/shares/:id',
    summary: 'Remove a share (owner of the contact and the user who shared it only)',
    input: record(ShareView, { contact_id, id }),
    output: ShareView,
    refuses: [notFound, forbidden],
  }),
  ofContacts: internal({
    kind: 'query',
    for: 'user',
    summary:
      'The users whom these contacts are shared with; contacts that the caller cannot see are left out',
    input: z.object({ contact_ids: ids }),
    output: z.array(z.object({ contact_id: id, user_id: id })),
  }),
  give: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['leads-routing'],
    summary:
      'Assign a contact that a giver sees now to a user, or share it with the user if it is assigned to somebody else',
    input: z.object({
      contact_id: id,
      user_id: id,
      giver: identityApi.actors.ofUsers.output.element.optional().describe('Missing with `is_given`'),
      is_given: z
        .boolean()
        .optional()
        .describe(
          'Only makes what is left of an earlier gift outlive the delegation under which it was made',
        ),
      delegation_id: id.nullable().optional().describe('Ignored; instances of the previous release send it'),
    }),
    output: z.object({}),
    refuses: [notFound],
  }),
};
