import { peopleOf, type Rule, type User } from '@crm/auth';

/** Owners and assignees see a task, and may change it. */
export function visibleTasks({ id }: Pick<User, 'id'>): Rule {
  return { $or: [{ owner_user_id: id }, { assigned_user_id: id }] };
}

/** An assignee cannot remove a task. */
export function mayRemoveTask(user: User, task: { readonly owner_user_id: number }): boolean {
  return task.owner_user_id === user.id;
}

export const onlyOwnerRemovesTask = 'Only the owner of a task may remove it.';

interface Assigned {
  readonly assigned_user_id?: number | null | undefined;
}

/**
 * The owner may change a task together with the following ones. An assignee may do so if all of them are assigned to that user,
 * and are thus visible to the user, as long as this removes none of them.
 */
export function mayChangeFollowing(
  user: User,
  task: { readonly owner_user_id: number },
  following: readonly Assigned[],
): boolean {
  return mayRemoveTask(user, task) || following.every(({ assigned_user_id }) => assigned_user_id === user.id);
}

export const onlyOwnerChangesFollowing =
  'Only the owner of a task may change it with the following ones that are assigned to others.';

/** A task may be assigned only to people with whom the user works. */
export function mayAssignTo(user: User, assignee: number): boolean {
  return peopleOf(user).has(assignee);
}
