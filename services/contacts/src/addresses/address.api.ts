import { find, id, notFound, operation, pageOf, record } from '@crm/contract';
import { AddressView, addressDraft, maxAddresses } from '../contacts/address-view.api.ts';

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
    summary: `Add an address to a contact, which can have at most ${maxAddresses}`,
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
