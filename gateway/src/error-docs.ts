import { type ErrorCode, generalErrorCodes } from '@crm/contract';
import { contracts } from './routes.ts';

/** The path of the guide about error codes. */
const guide = '/guides/error-codes';

const declared = Object.values(contracts)
  .flatMap((contract) => Object.values(contract))
  .flatMap((operations) => Object.values(operations).flatMap(({ refuses }) => refuses));

const byReason: ReadonlyMap<string, ErrorCode> = new Map(
  [...generalErrorCodes, ...declared].map((code) => [code.reason, code]),
);

/** Every error that a caller can get: those of all operations, and those declared in contracts. */
export const errorCodes: readonly ErrorCode[] = [...byReason.values()];

/** The path of an error's entry in the guide. A service of another version may have an error that is unknown here. */
export const docsOf = (reason: string): string => (byReason.has(reason) ? `${guide}#${reason}` : guide);
