import type { Rule, User } from '@crm/auth';

/** The user's own campaigns, those that the broker shares, and built-in ones. */
export function visibleCampaigns({ id, broker }: User): Rule {
  const ofBroker = broker ? [{ owner_user_id: broker.id, is_broker_sharing_on: true }] : [];
  return { $or: [{ owner_user_id: id }, ...ofBroker, { is_default: true }] };
}

interface Owned {
  readonly owner_user_id?: number | null | undefined;
}

/** Users can use the broker's campaigns but not change them; built-in ones belong to nobody. */
export function mayChangeCampaign(user: User, { owner_user_id }: Owned): boolean {
  return owner_user_id === user.id;
}

export const onlyOwnerChangesCampaign = 'Only the owner of a campaign may change or remove it.';
