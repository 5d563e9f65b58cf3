import { invalidField, notInYourTeams } from '@crm/contract';
import type { JsonText } from '@crm/data';
import { answerWith, type Context, demand, demandOwnPerson, loadForChange, type Pending } from '@crm/service';
import type { z } from 'zod';
import { Contact } from '../contacts/contact.entity.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { delegationOf, demandOpenDelegation } from '../delegations/delegation.queries.ts';
import { noteRepeatedShare } from './repeated-share.queries.ts';
import type { shareApi } from './share.api.ts';
import { Share } from './share.entity.ts';
import { mayShare, mayShareWith, onlyTeamShares } from './share.policy.ts';
import { shareRows } from './share.queries.ts';
import { shareWith } from './share-with.ts';

/**
 * Shares a contact with a colleague, unless it is already shared with the colleague. A share that a broker has made then outlives
 * the delegation; one that two brokers have made ends when both delegations have ended.
 */
export async function shareContact(
  ctx: Context,
  { contact_id, user_id }: z.output<typeof shareApi.create.input>,
): Promise<Pending<JsonText>> {
  await demandOpenDelegation(ctx);
  const contact = await loadForChange(ctx, Contact, contactRows, { id: contact_id });
  demand(mayShare(ctx.user, contact), onlyTeamShares);
  demandOwnPerson(ctx.user, user_id);
  if (user_id === ctx.user.id)
    throw invalidField('user_id', 'must not be yourself, because you see the contact already');
  if (!mayShareWith(ctx.user, contact, user_id)) throw invalidField('user_id', notInYourTeams(user_id));
  const existing = await ctx.em.findOne(Share, { contact_id, user_id });
  const sharing = { contact_id, user_id, shared_by_user_id: ctx.user.id, delegation_id: delegationOf(ctx) };
  if (existing) await noteRepeatedShare(ctx.query, sharing);
  const share = existing ?? (await shareWith(ctx, contact, sharing));
  return answerWith(ctx, shareRows, share.id);
}
