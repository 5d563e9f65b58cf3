/** Why an action comes to nothing; does not leave `schedule`. */
export class Skipped extends Error {}

export const reasons = {
  incomplete: 'It does not say when.',
  past: 'It was for a moment before the start.',
  noBirthday: 'The contact has no birthday.',
  unreadable: 'The birthday of the contact cannot be read as one day of the year.',
  neverReached: 'Its recurrence rule is never reached from its start on.',
  onlyTasksRecur: 'Only tasks recur.',
  tooFar: 'It is for a time that no calendar here reaches.',
};
