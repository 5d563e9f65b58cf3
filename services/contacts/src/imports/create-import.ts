import type { User } from '@crm/auth';
import { ContactsCsvError, mappingOf } from '@crm/contacts-csv';
import { invalidField } from '@crm/contract';
import { importCreated } from '@crm/events';
import { type Context, demand, publish } from '@crm/service';
import type { z } from 'zod';
import { brokerForbidsContacts, mayCreateContact } from '../contacts/contact.policy.ts';
import { contactsFormat } from '../contacts-format.ts';
import { originOf } from '../on-behalf/origin.ts';
import { csvType, type importApi } from './import.api.ts';
import { Import } from './import.entity.ts';
import { lockOpenImports } from './import.queries.ts';
import { tooManyImports } from './import-refusals.api.ts';

type ImportDraft = z.output<typeof importApi.create.input> & { readonly is_held?: boolean };

/** How many unfinished imports a user may have. */
const maxOpen = 20;

/** Adds an import whose file has still to arrive. Throws Forbidden, BadRequest and Conflict. */
export async function createImport(
  ctx: Pick<Context, 'em' | 'query' | 'requestId' | 'now'>,
  user: User,
  { is_held = false, mapping = {}, ...draft }: ImportDraft,
): Promise<Import> {
  demand(mayCreateContact(user), brokerForbidsContacts);
  demandMapping(mapping);
  if ((await lockOpenImports(ctx.query, user.id)) >= maxOpen) throw tooManyImports();
  const now = ctx.now();
  const added = ctx.em.create(Import, {
    user_id: user.id,
    origin: originOf(user, ctx.requestId),
    name: draft.name ?? null,
    type: draft.type ?? csvType,
    status: 'Uploading',
    is_held,
    dry_run: draft.dry_run ?? false,
    duplicates: draft.duplicates ?? 'skip',
    match: draft.match ?? 'both',
    create_missing: draft.create_missing ?? false,
    tags: draft.tags ?? null,
    assigned_user_id: draft.assigned_user_id ?? null,
    mapping,
    created_at: now,
    modified_at: now,
    ended_at: null,
  });
  await ctx.em.flush();
  const { em, requestId } = ctx;
  publish({ em, requestId, now: ctx.now, actor: user }, importCreated, added, eventData(added));
  return added;
}

export const eventData = ({ id, user_id }: Pick<Import, 'id' | 'user_id'>) => ({ import_id: id, user_id });

/** Throws BadRequest for a field that does not exist. */
function demandMapping(mapping: Readonly<Record<string, string>>) {
  for (const [header, field] of Object.entries(mapping)) {
    try {
      mappingOf([[header, field]], contactsFormat);
    } catch (error) {
      if (!(error instanceof ContactsCsvError)) throw error;
      throw invalidField(`mapping.${header}`, error.message.replace(/\.$/, ''));
    }
  }
}
