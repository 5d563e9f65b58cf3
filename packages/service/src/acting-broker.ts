import { peopleOf, type User } from '@crm/auth';
import { refusal } from '@crm/contract';

/** For what only the users themselves do, because it concerns their account or commits them to others. */
export const notForActingBroker = refusal(
  'Forbidden',
  'Only the user can do this with an access token of their own, not a broker who acts for them.',
);

const outsideThePeople = refusal(
  'Forbidden',
  'A broker who acts for a user can share and assign only among the user and the teammates of the user.',
);

/** Throws Forbidden if a broker who acts as the user would share with or assign to anybody else. */
export function demandOwnPerson(user: User, colleague: number): void {
  if (user.act && !peopleOf(user).has(colleague)) throw outsideThePeople();
}
