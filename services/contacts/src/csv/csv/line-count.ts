/** Counts lines, whatever their line endings are. */
export interface LineCount {
  /** Must be called with every chunk of the file, in order, before lines in it are requested. */
  add(chunk: Uint8Array): void;
  /** The line on which a row starts, by the offset at which the row before it ended. */
  lineAfter(offset: number): number;
}

const [lf, cr, blank] = [10, 13, 32];

export function lineCount(): LineCount {
  let pending: Uint8Array = new Uint8Array();
  let start = 0;
  let at = 0;
  let line = 1;
  let previous = 0;
  const pass = (byte: number) => {
    if (byte === cr || (byte === lf && previous !== cr)) line++;
    previous = byte;
    at++;
  };
  return {
    add(chunk) {
      pending = Buffer.concat([pending.subarray(at - start), chunk]);
      start = at;
    },
    lineAfter(offset) {
      for (let byte = pending[at - start]; at < offset && byte !== undefined; byte = pending[at - start]) {
        pass(byte);
      }
      // Empty lines belong to no row.
      for (
        let byte = pending[at - start];
        byte === lf || byte === cr || byte === blank;
        byte = pending[at - start]
      )
        pass(byte);
      return line;
    },
  };
}
