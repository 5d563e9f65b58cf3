/** Thrown by a command that cannot do its work, with a name for programs and a sentence for people. */
export class Unable extends Error {
  override readonly name = 'Unable';
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(reason: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}
