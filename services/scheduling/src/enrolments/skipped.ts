/** Why an action leads to nothing; caught in `schedule`. */
export class Skipped extends Error {}

export const reasons = {
  incomplete: 'The action has no time.',
  past: 'The time is before the start.',
  noBirthday: 'The contact has no birthday.',
  unreadable: 'The birthday of the contact cannot be read as a date.',
  neverReached: 'The recurrence rule never occurs on or after its start.',
  onlyTasksRecur: 'Only tasks can recur.',
  tooFar: 'The time is too far in the future.',
};
