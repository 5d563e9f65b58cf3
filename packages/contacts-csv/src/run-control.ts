/** How a caller monitors and stops a long import or export. */
export interface RunControl {
  /** `share` grows from 0 to 1; `rows` is the number of finished rows. */
  onProgress(share: number, rows: number): void;
  /** Throws when the run should stop. */
  throwIfStopped(): void;
}
