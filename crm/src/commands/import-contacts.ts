import {
  ContactsCsvError,
  type ImportOptions,
  type ImportSummary,
  importContacts,
  type Mapping,
  openContactsFile,
} from '@crm/contacts-csv';
import { Refused } from '@crm/contract';
import type { Controls } from '../progress-bar.ts';
import { actingForSeveral } from '../system/acting-for.ts';
import { contactsFormat } from '../system/contacts-format.ts';
import { idOr } from '../system/id-or.ts';
import { Unable } from '../system/unable.ts';

export interface ImportOrder extends ImportOptions {
  readonly path: string;
  /** The owner of the contacts; without it, the owners that the file names. */
  readonly user?: string | undefined;
  readonly mapping: Mapping;
}

/** Imports a file. No access token is created for a file that cannot be read. */
export async function importFile(
  env: NodeJS.ProcessEnv,
  { path, user, mapping, ...options }: ImportOrder,
  { progress, throwIfStopped }: Controls,
): Promise<ImportSummary> {
  const file = await openContactsFile(path, mapping, contactsFormat).catch(throwUnable);
  const control = { onProgress: progress.at, throwIfStopped };
  const request = { scope: 'write', name: 'contacts import' } as const;
  try {
    return await actingForSeveral(env, async (actAs) => {
      const ownerNamed = (email: string) => actAs({ ...request, user: email }).catch(unlessRefused);
      const to = user === undefined ? ownerNamed : await actAs({ ...request, user: idOr(user) });
      return importContacts(to, file, options, control).catch(throwUnable);
    });
  } finally {
    progress.end();
  }
}

/** Undefined for an account that does not exist or is disabled. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refused) || error.name === 'Unavailable') throw error;
  return undefined;
}

function throwUnable(error: unknown): never {
  throw error instanceof ContactsCsvError ? new Unable(error.reason, error.message) : error;
}
