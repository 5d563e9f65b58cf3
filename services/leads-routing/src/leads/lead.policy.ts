import type { Rule, User } from '@crm/auth';

/** Whoever brought it, has it, claimed it, owns the contact it is about, or has been offered it by now. */
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

/** Only whoever brought the lead hands it out, and sees by which rules it was routed. */
export function mayDistribute(user: User, lead: { readonly creator_user_id: number }): boolean {
  return lead.creator_user_id === user.id;
}
