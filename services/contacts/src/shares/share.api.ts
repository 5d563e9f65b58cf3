import { find, forbidden, id, instant, notFound, operation, pageOf, record } from '@crm/contract';
import { z } from 'zod';

export const ShareView = z.object({
  id,
  user_id: id.describe('Who may see and change the contact'),
  shared_by_user_id: id,
  created_at: instant,
});

const contact_id = id;

export const shareApi = {
  find: operation({
    rest: 'GET /contacts/:contact_id/shares',
    summary: 'List whom a contact is shared with',
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
    summary: 'Share a contact with a colleague; its owner and the owner’s teammates may',
    input: z.object({ contact_id, user_id: id }),
    output: ShareView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /contacts/:contact_id/shares/:id',
    summary: 'Take a share back; the owner of the contact and whoever shared it may',
    input: record(ShareView, { contact_id, id }),
    output: ShareView,
    refuses: [notFound, forbidden],
  }),
};
