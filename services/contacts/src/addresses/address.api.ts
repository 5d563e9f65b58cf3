import { choice, find, id, instant, notFound, operation, pageOf, record, text } from '@crm/contract';
import { z } from 'zod';

const type = choice('Home', 'Main Office', 'Branch Office', 'Second Home', 'Investment', 'Mailing');

export const AddressView = z.object({
  id,
  type: type.nullable(),
  street_address_1: text(45).nullable(),
  street_address_2: text(45).nullable(),
  zip: text(45).nullable(),
  city: text(200).nullable(),
  state: text(200).nullable().describe('Spelled out in full'),
  created_at: instant,
  modified_at: instant,
});

export const addressDraft = AddressView.omit({ id: true, created_at: true, modified_at: true }).partial();

const contact_id = id;

export const addressApi = {
  find: operation({
    rest: 'GET /contacts/:contact_id/addresses',
    summary: 'List the addresses of a contact',
    input: find(AddressView, { own: { contact_id } }),
    output: pageOf(AddressView),
    refuses: [notFound],
  }),
  get: operation({
    rest: 'GET /contacts/:contact_id/addresses/:id',
    summary: 'Read an address of a contact',
    input: record(AddressView, { contact_id, id }),
    output: AddressView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /contacts/:contact_id/addresses',
    summary: 'Add an address to a contact',
    input: addressDraft.extend({ contact_id }),
    output: AddressView,
    refuses: [notFound],
  }),
  patch: operation({
    rest: 'PATCH /contacts/:contact_id/addresses/:id',
    summary: 'Change an address of a contact',
    input: record(AddressView, { contact_id, id, ...addressDraft.shape }),
    output: AddressView,
    refuses: [notFound],
  }),
  remove: operation({
    rest: 'DELETE /contacts/:contact_id/addresses/:id',
    summary: 'Remove an address from a contact',
    input: record(AddressView, { contact_id, id }),
    output: AddressView,
    refuses: [notFound],
  }),
};
