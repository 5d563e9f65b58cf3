/** Thrown when a file or a mapping of columns cannot be used. Nothing has been imported. */
export class ContactsCsvError extends Error {
  override readonly name = 'ContactsCsvError';
  readonly reason:
    | 'NoFile'
    | 'WrongEncoding'
    | 'NoHeader'
    | 'SeparatorLine'
    | 'InvalidMapping'
    | 'UndecidedOptOut'
    | 'DateOrders'
    | 'NoCustomField'
    | 'TooManyCustomFields'
    | 'NoOwner';

  constructor(reason: ContactsCsvError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
