import type { contactsApi } from '@crm/contacts/api';
import { invalidField, Refused, unknownRecord } from '@crm/contract';
import { emFor, queryIn } from '@crm/data';
import { actAs, type Context, leftOutReason, type WorkerContext } from '@crm/service';
import type { z } from 'zod';
import { addContact } from '../campaign-contacts/add-contact.ts';
import type { Campaign } from '../campaigns/campaign.entity.ts';
import { lockCampaign } from '../campaigns/lock-campaign.ts';
import { lockState, type Problem, storeState } from './bulk-enrolment.queries.ts';

type Next = z.output<typeof contactsApi.bulkOperations.nextPortion.output>;
export type Portion = NonNullable<Next['portion']>;

export interface Enrolled {
  readonly count: number;
  readonly problems: Problem[];
  /** The ids of the campaign contacts that this call added. */
  readonly added: readonly number[];
}

/**
 * Adds the contacts to the campaign with the rights of the user. The progress of the operation is stored in the same
 * transaction, so that each contact is added once or, if the process is killed, not at all. If the contacts were added
 * before, returns the stored result; undefined if another instance has finished the operation.
 */
export async function enrolPortion(
  context: WorkerContext,
  operationId: number,
  portion: Portion,
  { isGivenUp }: { readonly isGivenUp: boolean },
): Promise<Enrolled | undefined> {
  const { user: actor, request_id: requestId, processed, contact_ids } = portion;
  return emFor(context.database.orm, actor).transactional(async (em) => {
    const query = queryIn(em);
    const state = await lockState(query, operationId);
    if (!state) return undefined;
    if (state.processed > processed)
      return { count: state.processed - processed, problems: state.problems, added: [] };
    const ctx = actAs(context, { actor, requestId, action: 'campaignContacts.create' }, em);
    const { problems, added } = isGivenUp ? givenUp(portion) : await addAll(ctx, portion);
    const count = contact_ids.length;
    await storeState(query, operationId, { processed: processed + count, problems });
    return { count, problems, added };
  });
}

async function addAll(ctx: Context, { campaign_id, contact_ids, seen }: Portion) {
  const contents = new Map(seen.map((contact) => [contact.id, contact]));
  const problems: Problem[] = [];
  const added: number[] = [];
  const campaign = await campaignOr(ctx, campaign_id);
  for (const id of contact_ids) {
    try {
      if (campaign instanceof Refused) throw campaign;
      added.push((await addContact(ctx, campaign, { id, contact: contents.get(id) })).id);
    } catch (error) {
      // A refusal comes before any write, so the transaction can continue.
      if (!(error instanceof Refused)) throw error;
      problems.push({ id, message: error.message, errors: error.errors });
    }
  }
  return { problems, added };
}

/** If the user does not see the campaign, the refusal is reported for each contact. */
async function campaignOr(ctx: Context, id: number): Promise<Campaign | Refused> {
  try {
    return await lockCampaign(ctx, id);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return invalidField('campaign_id', unknownRecord(id));
  }
}

function givenUp({ contact_ids }: Portion) {
  return { problems: contact_ids.map((id) => ({ id, message: leftOutReason, errors: {} })), added: [] };
}
