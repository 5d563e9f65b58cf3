interface Note {
  readonly delegation_id: number;
  readonly previous_user_id: number | null;
}

/**
 * The records of a contact without those of a delegation, oldest first: a record after a removed one gets the previous assignee
 * of that one. If nothing follows the last removed record, it is returned, with the user to whom the contact is assigned again.
 */
export function withoutDelegation<One extends Note>(
  notes: readonly One[],
  delegationId: number,
): { readonly kept: One[]; readonly last: One | undefined } {
  const kept: One[] = [];
  let removed: One | undefined;
  for (const note of notes) {
    if (note.delegation_id === delegationId) {
      removed ??= note;
      continue;
    }
    kept.push(removed ? { ...note, previous_user_id: removed.previous_user_id } : note);
    removed = undefined;
  }
  return { kept, last: removed };
}
