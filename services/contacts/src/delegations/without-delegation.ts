interface Note {
  readonly delegation_id: number;
  readonly previous_user_id: number | null;
}

/**
 * The notes of a contact without those of a delegation, oldest first: what follows them goes back to whom the contact
 * was assigned to before them. If nothing follows the last of them, it is returned, with whom the contact is assigned
 * to again.
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
