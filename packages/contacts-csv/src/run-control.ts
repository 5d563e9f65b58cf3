/** How a caller follows a long import or export, and stops it. */
export interface RunControl {
  /** `share` grows from 0 to 1; `rows` are done. */
  onProgress(share: number, rows: number): void;
  /** Throws when the run should stop. */
  throwIfStopped(): void;
}
