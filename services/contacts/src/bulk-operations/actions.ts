import { invalidField } from '@crm/contract';
import type { Context } from '@crm/service';
import { z } from 'zod';
import { changeTags } from '../contacts/change-tags.ts';
import { patchContact } from '../contacts/patch-contact.ts';
import { removeContact } from '../contacts/remove-contact.ts';
import { shareContact } from '../shares/share-contact.ts';
import { addContacts } from '../static-lists/add-contacts.ts';
import { withoutTags, withTags } from '../tags/tags-text.ts';
import { BulkOperationView, parameters } from './bulk-operation.api.ts';

/** What is done to each contact. It was checked when the operation was created. */
export const Parameters = z.object(parameters).partial();
export type Parameters = z.output<typeof Parameters>;
type Action = z.output<typeof BulkOperationView>['action'];
/** Campaigns are in a service above this one, which asks for the portions of such an operation. */
export const OwnAction = BulkOperationView.shape.action.exclude(['enrol']);

interface Doing {
  /** The procedure of a single request that does the same. */
  readonly procedure: string;
  readonly act: (ctx: Context, id: number, given: Parameters) => Promise<unknown>;
}

export const actions: Readonly<Record<z.output<typeof OwnAction>, Doing>> = {
  patch: {
    procedure: 'contacts.patch',
    act: (ctx, id, { changes }) => patchContact(ctx, { ...changes, id }),
  },
  tag: {
    procedure: 'contacts.patch',
    act: (ctx, id, { tags = '' }) => changeTags(ctx, id, (text) => withTags(text, tags)),
  },
  untag: {
    procedure: 'contacts.patch',
    act: (ctx, id, { tags = '' }) => changeTags(ctx, id, (text) => withoutTags(text, tags)),
  },
  assign: {
    procedure: 'contacts.patch',
    act: (ctx, id, { assigned_user_id }) => patchContact(ctx, { id, assigned_user_id }),
  },
  share: {
    procedure: 'shares.create',
    act: (ctx, contact_id, { user_id = 0 }) => shareContact(ctx, { contact_id, user_id }),
  },
  list: {
    procedure: 'staticListContacts.add',
    act: (ctx, id, { static_list_id = 0 }) => addContacts(ctx, static_list_id, [id]),
  },
  remove: { procedure: 'contacts.remove', act: (ctx, id) => removeContact(ctx, { id }) },
};

/** The parameter without which an action means nothing. */
const neededBy: Readonly<Record<Action, keyof Parameters | undefined>> = {
  patch: 'changes',
  tag: 'tags',
  untag: 'tags',
  assign: 'assigned_user_id',
  share: 'user_id',
  enrol: 'campaign_id',
  list: 'static_list_id',
  remove: undefined,
};

/** Throws BadRequest unless an action has its parameter and no other. */
export function demandParameters(action: Action, given: Parameters): void {
  const needs = neededBy[action];
  if (needs !== undefined && given[needs] === undefined)
    throw invalidField(needs, { message: `is required for the action ${action}`, reason: 'required' });
  const other = Object.keys(parameters).find(
    (name) => name !== needs && given[name as keyof Parameters] !== undefined,
  );
  if (other !== undefined) throw invalidField(other, `does not belong to the action ${action}`);
  if (given.changes && Object.keys(given.changes).length === 0)
    throw invalidField('changes', 'must contain at least one field');
}
