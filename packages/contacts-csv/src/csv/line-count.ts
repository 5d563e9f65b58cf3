/** Counts lines with any line endings. */
export interface LineCount {
  /** Must be called with every chunk of the file, in order, before lines in it are requested. */
  add(chunk: Uint8Array): void;
  /** The line on which a row starts, by the offset at which the previous row ended. */
  lineAfter(offset: number): number;
  /** The line at an offset. */
  lineAt(offset: number): number;
}

/** A position in a file. */
export interface Place {
  readonly offset: number;
  readonly line: number;
}

export const beginning: Place = { offset: 0, line: 1 };

const [lf, cr, blank] = [10, 13, 32];

/** Counts from a position that is not inside a line ending. */
export function lineCount(from: Place): LineCount {
  let pending: Uint8Array = new Uint8Array();
  let start = from.offset;
  let at = from.offset;
  let line = from.line;
  let previous = 0;
  const pass = (byte: number) => {
    if (byte === cr || (byte === lf && previous !== cr)) line++;
    previous = byte;
    at++;
  };
  const passTo = (offset: number) => {
    for (let byte = pending[at - start]; at < offset && byte !== undefined; byte = pending[at - start]) {
      pass(byte);
    }
  };
  return {
    add(chunk) {
      pending = Buffer.concat([pending.subarray(at - start), chunk]);
      start = at;
    },
    lineAfter(offset) {
      passTo(offset);
      // Empty lines belong to no row.
      for (
        let byte = pending[at - start];
        byte === lf || byte === cr || byte === blank;
        byte = pending[at - start]
      )
        pass(byte);
      return line;
    },
    lineAt(offset) {
      passTo(offset);
      return line;
    },
  };
}
