import type { Rule, User } from '@crm/auth';

/** Users see the leads that they created, are assigned or claimed, of contacts they own, and with a due offer to them. */
export function visibleLeads({ id }: User): Rule {
  return {
    $or: [
      { creator_user_id: id },
      { assigned_user_id: id },
      { contact_owner_user_id: id },
      { claimed_by_user_id: id },
      { offered_user_ids: { $contains: [id] } },
    ],
  };
}

/** Only the creator of a lead offers it to others, and sees how it was routed. */
export function mayDistribute(user: User, lead: { readonly creator_user_id: number }): boolean {
  return lead.creator_user_id === user.id;
}
