/**
 * The result of statements that have been sent in a transaction. It need not be awaited before the commit, which is sent in
 * one packet with them and fails if one of them does. Nothing else may make it fail, because the transaction may already be
 * committed then.
 */
export class Pending<Result> {
  readonly result: Promise<Result>;

  constructor(result: Promise<Result>) {
    this.result = result;
    // If the commit fails, nobody asks for the result.
    result.catch(() => undefined);
  }
}
