/** An error in a row, or a value that was converted. */
export interface Remark {
  readonly line: number;
  /** The header, or empty if the remark is about the whole row. */
  readonly column: string;
  readonly reason: string;
}

/** Collects the remarks about one row. */
export interface Remarks {
  readonly errors: Remark[];
  readonly warnings: Remark[];
  error(column: string, reason: string): void;
  warn(column: string, reason: string): void;
}

export function remarksOn(line: number): Remarks {
  const errors: Remark[] = [];
  const warnings: Remark[] = [];
  return {
    errors,
    warnings,
    error: (column, reason) => void errors.push({ line, column, reason }),
    warn: (column, reason) => void warnings.push({ line, column, reason }),
  };
}
