import { type Contract, type ErrorCode, generalErrorCodes } from '@crm/contract';
import { contracts } from './routes.ts';

/** The path of the guide about error codes. */
const guide = '/guides/error-codes';

/** Every error that a caller can get: those of all operations, and those declared in contracts. */
export const errorCodes: readonly ErrorCode[] = errorCodesOf(contracts);

function errorCodesOf(contracts: Readonly<Record<string, Contract>>): ErrorCode[] {
  const declared = Object.values(contracts).flatMap((contract) =>
    Object.values(contract).flatMap((operations) =>
      Object.values(operations).flatMap(({ refuses }) => refuses),
    ),
  );
  const codes = new Map<string, ErrorCode>(generalErrorCodes.map((code) => [code.reason, code]));
  for (const refusal of declared) codes.set(refusal.reason, refusal);
  return [...codes.values()];
}

const known: ReadonlySet<string> = new Set(errorCodes.map(({ reason }) => reason));

/** The path of an error's entry in the guide. A service of another version may have an error that is unknown here. */
export const docsOf = (reason: string): string => (known.has(reason) ? `${guide}#${reason}` : guide);
