import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@crm/contract';
import { projectFolder } from '../system/data-folder.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** The pinned version of Node, which npm puts first in PATH. */
export function checkNode(): Finding {
  const wanted = readFileSync(join(projectFolder, '.nvmrc'), 'utf8').trim();
  const { node } = process.versions;
  if (node === wanted) return ok('Node', node);
  const fix = 'Run `npm ci`, then use `npm run crm`, which runs the pinned Node.';
  const isOlder = Number.parseInt(node, 10) < Number.parseInt(wanted, 10);
  return (isOlder ? problem : warning)('Node', `${node} instead of ${wanted}`, fix);
}

const minimumSpace = 512 * 1024 * 1024;

export function checkDataFolder(folder: string): Finding {
  if (!existsSync(folder))
    return ok('Data folder', `${folder} does not exist yet; the first start creates it`);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK);
  } catch (error) {
    const reason = errorCode(error) || error;
    return problem(
      'Data folder',
      `${folder} cannot be written (${reason})`,
      'Make it writable, or set CRM_DATA_DIR to another folder.',
    );
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const detail = `${folder}, ${Math.round(free / 2 ** 30)} GiB free`;
  if (free > minimumSpace) return ok('Data folder', detail);
  return problem(
    'Data folder',
    `${folder} has ${Math.round(free / 2 ** 20)} MiB free`,
    'Free space on its disk.',
  );
}
