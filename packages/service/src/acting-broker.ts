import { peopleOf, type User } from '@crm/auth';
import { outsideThePeople } from '@crm/contract';

/** Throws Forbidden if a broker who acts as the user would share with or assign to anybody else. */
export function demandOwnPerson(user: User, colleague: number): void {
  if (user.act && !peopleOf(user).has(colleague)) throw outsideThePeople();
}
