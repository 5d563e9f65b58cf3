import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../system/data-folder.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** The Node that this project names, which npm puts first. */
export function lookAtNode(): Finding {
  const manifest = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  const wanted = String(manifest.devDependencies.node);
  const { node } = process.versions;
  if (node === wanted) return ok('Node', node);
  const mend = 'Use `npm run crm`, which takes the Node of this project, after `npm ci`.';
  const isOlder = Number.parseInt(node, 10) < Number.parseInt(wanted, 10);
  return (isOlder ? problem : warning)('Node', `${node}; the project is made for ${wanted}`, mend);
}

const littleSpace = 512 * 1024 * 1024;

export function lookAtDataFolder(folder: string): Finding {
  if (!existsSync(folder)) return ok('Data folder', `${folder} is not there yet; the first start makes it`);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    return problem(
      'Data folder',
      `${folder} cannot be written (${reason})`,
      'Make it writable or set CRM_DATA_DIR to another.',
    );
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const detail = `${folder}, ${Math.round(free / 2 ** 30)} GiB free`;
  if (free > littleSpace) return ok('Data folder', detail);
  return problem(
    'Data folder',
    `${folder} has ${Math.round(free / 2 ** 20)} MiB left`,
    'Make room on its disk.',
  );
}
