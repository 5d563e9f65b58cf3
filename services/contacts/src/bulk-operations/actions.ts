import { invalidField } from '@crm/contract';
import type { Context, Pending } from '@crm/service';
import type { z } from 'zod';
import { changeTags } from '../contacts/change-tags.ts';
import { patchContact } from '../contacts/patch-contact.ts';
import { removeContact } from '../contacts/remove-contact.ts';
import { shareContact } from '../shares/share-contact.ts';
import { addContacts } from '../static-lists/add-contacts.ts';
import { withoutTags, withTags } from '../tags/tags-text.ts';
import { type AllParameters, BulkOperationView, Parameters } from './bulk-operation.api.ts';

type Action = z.output<typeof BulkOperationView>['action'];
/** Campaigns belong to a service above this one, which requests the portions of such an operation. */
export const OwnAction = BulkOperationView.shape.action.exclude(['enrol']);

/** What has been sent and may still fail, if anything was. */
type Done = Pending<unknown> | undefined;

interface Doing {
  /** The procedure of a single request that does the same. */
  readonly procedure: string;
  /** The parameter that the action requires. */
  readonly needs?: keyof Parameters;
  readonly act: (ctx: Context, id: number, given: Parameters) => Promise<Done>;
}

/** An action with its parameter. */
const actionWith = <Name extends keyof Parameters>(
  needs: Name,
  procedure: string,
  act: (ctx: Context, id: number, value: AllParameters[Name]) => Promise<Done>,
): Doing => ({
  needs,
  procedure,
  act: (ctx, id, given) => {
    const value = given[needs];
    if (value === undefined) throw new Error(`A bulk operation has no ${needs}.`);
    return act(ctx, id, value);
  },
});

export const actions: Readonly<Record<z.output<typeof OwnAction>, Doing>> = {
  patch: actionWith('changes', 'contacts.patch', (ctx, id, changes) => patchContact(ctx, { ...changes, id })),
  tag: actionWith('tags', 'contacts.patch', (ctx, id, tags) =>
    changeTags(ctx, id, (text) => withTags(text, tags)),
  ),
  untag: actionWith('tags', 'contacts.patch', (ctx, id, tags) =>
    changeTags(ctx, id, (text) => withoutTags(text, tags)),
  ),
  assign: actionWith('assigned_user_id', 'contacts.patch', (ctx, id, assigned_user_id) =>
    patchContact(ctx, { id, assigned_user_id }),
  ),
  share: actionWith('user_id', 'shares.create', (ctx, contact_id, user_id) =>
    shareContact(ctx, { contact_id, user_id }),
  ),
  list: actionWith('static_list_id', 'staticListContacts.add', async (ctx, id, static_list_id) => {
    await addContacts(ctx, static_list_id, [id]);
    return undefined;
  }),
  remove: { procedure: 'contacts.remove', act: (ctx, id) => removeContact(ctx, { id }) },
};

/** Throws BadRequest unless an action has its own parameter and no other. */
export function demandParameters(action: Action, given: Parameters): void {
  const needs = action === 'enrol' ? 'campaign_id' : actions[action].needs;
  if (needs !== undefined && given[needs] === undefined)
    throw invalidField(needs, { message: `is required for the action ${action}`, reason: 'required' });
  const other = Parameters.keyof().options.find((name) => name !== needs && given[name] !== undefined);
  if (other !== undefined) throw invalidField(other, `does not belong to the action ${action}`);
  if (given.changes && Object.keys(given.changes).length === 0)
    throw invalidField('changes', 'must contain at least one field');
}
