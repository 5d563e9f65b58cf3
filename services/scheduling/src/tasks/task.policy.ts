import { peopleOf, type Rule, type User } from '@crm/auth';

/** One's own, and those one is to do; both may also change them. */
export function visibleTasks({ id }: Pick<User, 'id'>): Rule {
  return { $or: [{ owner_user_id: id }, { assigned_user_id: id }] };
}

/** Who is to do a task does not make it go away. */
export function mayRemoveTask(user: User, task: { readonly owner_user_id: number }): boolean {
  return task.owner_user_id === user.id;
}

/** A task is given only to people one works with. */
export function mayAssignTo(user: User, assignee: number): boolean {
  return peopleOf(user).has(assignee);
}
