import { type FieldError, type FieldErrors, invalidFields } from '@crm/contract';
import type { Context } from '@crm/service';
import { notUsable } from '../lead-sources/hold-source.ts';
import { LeadSource } from '../lead-sources/lead-source.entity.ts';
import { campaignsTemplates, contacts, identity } from '../peers.ts';

interface References {
  readonly team_id?: number | null | undefined;
  readonly campaign_id?: number | undefined;
  readonly lead_source_id?: number | undefined;
  readonly contact_source_id?: number | undefined;
}

interface CheckedReferences {
  readonly references: References;
  readonly errors: FieldErrors;
}

/** Checks with the owning service that the caller may use a reference. */
const checks: { readonly [Field in keyof References]-?: (ctx: Context, id: number) => Promise<boolean> } = {
  async team_id(ctx, id) {
    const [team] = await identity.asSystem(ctx).teams.byIds({ ids: [id] });
    return team?.creator_user_id === ctx.user.id;
  },
  async campaign_id(ctx, id) {
    return (await campaignsTemplates.onBehalf(ctx).campaigns.access({ ids: [id] })).length > 0;
  },
  async lead_source_id(ctx, id) {
    return (await ctx.em.count(LeadSource, id)) > 0;
  },
  async contact_source_id(ctx, id) {
    return (await contacts.onBehalf(ctx).contactSources.find({ id, $limit: 0 })).total > 0;
  },
};

const mustBe = (message: string): FieldError => ({ message, reason: 'unknown_record' });

const refusals: { readonly [Field in keyof References]-?: FieldError } = {
  team_id: mustBe('must be a team that you have created'),
  campaign_id: mustBe('must be a campaign that you may use'),
  lead_source_id: mustBe(notUsable),
  contact_source_id: mustBe('must be a contact source of your own'),
};

/** The errors of references, by field. The error is the same for a hidden record and a missing one. */
export async function findReferenceErrors(ctx: Context, references: References): Promise<CheckedReferences> {
  const fields = Object.keys(checks) as (keyof References)[];
  const errors = await Promise.all(
    fields.map(async (field) => {
      const id = references[field];
      return id == null || (await checks[field](ctx, id)) ? [] : [[field, refusals[field]]];
    }),
  );
  return { references, errors: Object.fromEntries(errors.flat()) };
}

/**
 * Throws BadRequest if there are errors. Called in the transaction, so that the refusal is stored like any other
 * response. A reference that the route already has is never refused, so that a client can write back what it has read.
 */
export function refuseErrors({ errors, references }: CheckedReferences, stored: References = {}): void {
  const refused = Object.entries(errors).filter(([name]) => {
    const field = name as keyof References;
    return references[field] !== stored[field];
  });
  if (refused.length > 0) throw invalidFields({ errors: Object.fromEntries(refused) });
}
