import type { Rule, User } from '@crm/auth';

/** Users see the leads that they created, claimed, are assigned, or are offered now, and the leads of contacts they own. */
export function visibleLeads(user: User): Rule {
  const { id } = user;
  return {
    $or: [
      { creator_user_id: id },
      { assigned_user_id: id },
      { contact_owner_user_id: id },
      { claimed_by_user_id: id },
      { offered_to: { $overlap: membershipsOf(user) } },
    ],
  };
}

/** The memberships of a user, in the format of the column `offered_to` of leads. */
const membershipsOf = ({ id, team_ids }: User): string[] => team_ids.map((team) => `${team}/${id}`);

/** Only the creator of a lead may offer it to others and see how it was routed. */
export function mayDistribute(user: User, lead: { readonly creator_user_id: number }): boolean {
  return lead.creator_user_id === user.id;
}

export const onlyCreatorDistributes = 'Only the creator of a lead may offer it, and see how it is routed.';
