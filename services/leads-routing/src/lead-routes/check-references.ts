import { invalid, type Problem } from '@crm/contract';
import type { Context } from '@crm/service';
import { LeadSource } from '../lead-sources/lead-source.entity.ts';
import { campaignsTemplates, contacts, identity } from '../peers.ts';

interface References {
  readonly team_id?: number | null | undefined;
  readonly campaign_id?: number | undefined;
  readonly lead_source_id?: number | undefined;
  readonly contact_source_id?: number | undefined;
}

/** Whether the caller may use each of them, by those who keep them. */
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

const texts: { readonly [Field in keyof References]-?: string } = {
  team_id: 'must be a team that you have made',
  campaign_id: 'must be a campaign that you may use',
  lead_source_id: 'must be a lead source that you may use',
  contact_source_id: 'must be a contact source of yours',
};

/** What is wrong with references, by field: in the same words for what the caller cannot use and what does not exist. */
export async function wrongReferences(ctx: Context, references: References): Promise<Problem['errors']> {
  const fields = Object.keys(checks) as (keyof References)[];
  const errors = await Promise.all(
    fields.map(async (field) => {
      const id = references[field];
      return id == null || (await checks[field](ctx, id)) ? [] : [[field, texts[field]]];
    }),
  );
  return Object.fromEntries(errors.flat());
}

/** In the transaction, so that the refusal is an answer that is kept like any other. */
export function refuseWrong(errors: Problem['errors']): void {
  if (Object.keys(errors).length > 0) throw invalid({ errors });
}
