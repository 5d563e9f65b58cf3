/** What is wrong with a row, or what was converted. */
export interface Remark {
  readonly line: number;
  /** The header, or empty if it is about the row as a whole. */
  readonly column: string;
  readonly reason: string;
}

/** Collects what there is to say about one row. */
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
