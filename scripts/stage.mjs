// A folder in which npm installs packages while those in use stay where they are. A running system reads some of them
// late, so they are replaced in a moment. Used by scripts/install.mjs.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** In the project's folder, because files can be moved only within a disk. */
const name = '.installing';

/** A new stage with what `npm ci` reads: settings, lock file and manifests. */
export function openStage(root) {
  const stage = join(root, name);
  rmSync(stage, { recursive: true, force: true });
  const files = [
    '.npmrc',
    'package-lock.json',
    ...workspacesOf(root).map((one) => join(one, 'package.json')),
  ];
  for (const file of files.filter((one) => existsSync(join(root, one)))) {
    mkdirSync(dirname(join(stage, file)), { recursive: true });
    cpSync(join(root, file), join(stage, file));
  }
  return stage;
}

/** Puts the packages of the stage in the place of the installed ones, which are then in the stage. */
export function takeFrom(stage, root) {
  for (const workspace of workspacesOf(root)) {
    const modules = join(root, workspace, 'node_modules');
    const staged = join(stage, workspace, 'node_modules');
    const former = join(stage, workspace, 'former');
    if (existsSync(modules)) renameSync(modules, former);
    if (existsSync(staged)) renameSync(staged, modules);
  }
}

/** The folders of manifests, among them the project's own, which is empty. */
function workspacesOf(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.keys(packages).filter((path) => !path.includes('node_modules/'));
}
