import { peopleOf, type User } from '@crm/auth';
import { outsideThePeople } from '@crm/contract';

/**
 * Throws Forbidden if a broker who acts as a user would share with, or assign to, somebody whom the user does not work with.
 */
export function demandOwnPerson(user: User, colleague: number): void {
  if (user.act && !peopleOf(user).has(colleague)) throw outsideThePeople();
}
