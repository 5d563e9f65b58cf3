import type { User } from '@crm/auth';

/** The users whose audit events a user sees: the user and the user's sub-accounts. */
export const usersAuditedFor = ({ id, sub_account_user_ids }: User): number[] => [
  id,
  ...sub_account_user_ids,
];
