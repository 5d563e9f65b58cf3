import { type JsonText, storedDate, updateRow } from '@crm/data';
import { contactChanged } from '@crm/events';
import { type Context, demand, lockForChange, type Pending, publish } from '@crm/service';
import { z } from 'zod';
import { withCustomFields } from '../custom-fields/custom-field-conditions.ts';
import { noteAssignment } from '../delegations/delegated-assignment.queries.ts';
import { delegationOf, demandOpenDelegation } from '../delegations/delegation.queries.ts';
import { newTags } from '../tags/new-tags.ts';
import { textAroundTags } from '../tags/tags-text.ts';
import { tagsToWrite } from '../tags/write-tags.ts';
import { changedReferences, demandReferences, missingReferences } from './check-references.ts';
import type { contactApi } from './contact.api.ts';
import { Contact } from './contact.entity.ts';
import { mayAssign, mayKeepAssignee, onlyOwnerAssigns } from './contact.policy.ts';
import { contactRows } from './contact.queries.ts';
import { eventData } from './contact-event-data.ts';
import { comparablePhones } from './phone.ts';
import { timeOfChange } from './time-of-change.ts';
import { answerAfter, namesOf } from './write-parts.ts';

type Patch = z.output<typeof contactApi.patch.input>;

/** Changes a contact that the caller sees. */
export async function patchContact(ctx: Context, patch: Patch): Promise<Pending<JsonText>> {
  const { id, $where = [], $select, addresses, custom_fields, tags: sentTags, ...sent } = patch;
  const { created_at, modified_at: _, ...changes } = sent;
  if (changes.assigned_user_id !== undefined) await demandOpenDelegation(ctx);
  const { model, where } = await withCustomFields(ctx, { model: contactRows, where: $where });
  const [contact, missing] = await Promise.all([
    lockForChange(ctx, model, StoredContact, { id, $where: where }),
    missingReferences(ctx, changes),
  ]);
  const references = await changedReferences(ctx, contact, changes, missing);
  if (references.assigned_user_id !== undefined) demand(mayAssign(ctx.user, contact), onlyOwnerAssigns);
  demandReferences(ctx, references, missing);
  if (references.assigned_user_id !== undefined || keepsAssignee(ctx, contact, patch))
    await noteAssignment(
      ctx.query,
      { contact_id: id, previous_user_id: contact.assigned_user_id },
      delegationOf(ctx),
    );
  const tags = await newTags(ctx, id, sentTags);
  const changed = {
    ...changes,
    ...comparablePhones(changes),
    ...textAroundTags({ tags }),
    ...(created_at !== undefined && { created_at: new Date(created_at) }),
    // A change of a part, such as an address, is a new version too. The row is locked, so that no version is used twice.
    version: contact.version + 1,
    modified_at: await timeOfChange(ctx, contact, patch),
  };
  const written = await tagsToWrite(ctx, contact.owner_user_id, tags);
  const parts = { addresses, custom_fields, tags: written };
  const fields = [...Object.keys(changes), ...namesOf(parts)];
  const after = { ...contact, ...changed };
  publish(ctx, contactChanged, after, eventData(after, { fields }));
  return answerAfter(ctx, id, [updateRow(ctx.em, Contact, id, changed)], parts);
}

/**
 * Whether a request assigns a contact to its current assignee, which makes the assignment outlive its delegation. Clients send
 * whole records back, so only a request without other fields counts.
 */
function keepsAssignee(
  ctx: Context,
  contact: z.output<typeof StoredContact>,
  { id, $where, $select, ...sent }: Patch,
): boolean {
  const { assigned_user_id, ...others } = sent;
  const isAlone =
    assigned_user_id !== undefined && Object.values(others).every((value) => value === undefined);
  return isAlone && mayKeepAssignee(ctx.user, contact);
}

/** The facts that a change depends on. */
const StoredContact = z.object({
  id: z.int(),
  version: z.int(),
  owner_user_id: z.int(),
  assigned_user_id: z.int().nullable(),
  hotness_id: z.int().nullable(),
  source_id: z.int().nullable(),
  modified_at: storedDate,
});
