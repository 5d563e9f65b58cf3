import type { User } from '@crm/auth';

/** The users whose audit events somebody sees: their own, and those of their sub-accounts. */
export const usersAuditedFor = ({ id, sub_account_user_ids }: User): number[] => [
  id,
  ...sub_account_user_ids,
];
