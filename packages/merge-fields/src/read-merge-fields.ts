import { isMergeField, type MergeField } from './merge-fields.ts';
import { piecesOf } from './pieces.ts';

/** The distinct names in a text, in order; `unknown` are those that are not merge fields. */
export function readMergeFields(text: string): {
  readonly known: readonly MergeField[];
  readonly unknown: readonly string[];
} {
  const known = new Set<MergeField>();
  const unknown = new Set<string>();
  for (const piece of piecesOf(text)) {
    if ('text' in piece) continue;
    if (isMergeField(piece.name)) known.add(piece.name);
    else unknown.add(piece.name);
  }
  return { known: [...known], unknown: [...unknown] };
}
