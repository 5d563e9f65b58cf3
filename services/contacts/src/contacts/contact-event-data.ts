interface Owned {
  readonly id: number;
  readonly owner_user_id: number;
  readonly assigned_user_id?: number | null | undefined;
}

/** The data of a contact's domain events: ids of its users, and no personal data. */
export function eventData<More extends object>(contact: Owned, more: More) {
  const { id, owner_user_id, assigned_user_id } = contact;
  return { contact_id: id, owner_user_id, assigned_user_id: assigned_user_id ?? null, ...more };
}
