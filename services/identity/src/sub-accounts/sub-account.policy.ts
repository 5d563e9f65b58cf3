import type { Rule, User } from '@crm/auth';

export function visibleSubAccounts({ id }: User): Rule {
  return { broker_user_id: id };
}
