import {
  ContactsCsvError,
  type ImportOptions,
  type ImportSummary,
  importContacts,
  type Mapping,
  openContactsFile,
} from '@crm/contacts-csv';
import type { ProgressBar } from '../progress-bar.ts';
import { actingFor } from '../system/acting-for.ts';
import { idOr } from '../system/id-or.ts';
import { Unable } from '../system/unable.ts';

export interface ImportOrder extends ImportOptions {
  readonly path: string;
  readonly user: string;
  readonly mapping: Mapping;
}

interface Controls {
  readonly progress: ProgressBar;
  readonly throwIfStopped: () => void;
}

/** Imports a file for a user. No access token is created for a file that cannot be read. */
export async function importFile(
  env: NodeJS.ProcessEnv,
  { path, user, mapping, ...options }: ImportOrder,
  { progress, throwIfStopped }: Controls,
): Promise<ImportSummary> {
  const file = await openContactsFile(path, mapping).catch(throwUnable);
  const request = { user: idOr(user), scope: 'write', name: 'contacts import' } as const;
  try {
    return await actingFor(env, request, (client) =>
      importContacts(client, file, options, { onProgress: progress.at, throwIfStopped }).catch(throwUnable),
    );
  } finally {
    progress.end();
  }
}

function throwUnable(error: unknown): never {
  throw error instanceof ContactsCsvError ? new Unable(error.reason, error.message) : error;
}
