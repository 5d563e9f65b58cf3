import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const run = promisify(execFile);

const knownPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** No sandbox, because it does not work as root and in many containers; only the pages of the tests are opened. */
const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

/** Starts the browser of the machine, and installs one first if possible. Throws if there is none. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: flags });
}

async function findChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  const found = given ? await firstOf([given]) : await firstOf(knownPaths);
  if (found) return found;
  if (given) throw new Error(`CHROMIUM_PATH is "${given}", but this file does not exist.`);
  await install();
  const installed = await firstOf(knownPaths);
  if (installed) return installed;
  throw new Error('Chromium was not found. Install it or set CHROMIUM_PATH.');
}

async function firstOf(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) return file;
  }
  return undefined;
}

/** Works as root on a machine with apt, and does nothing elsewhere. */
async function install() {
  const isPossible = process.getuid?.() === 0 && (await firstOf(['/usr/bin/apt-get']));
  if (!isPossible) return;
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 300_000,
  });
}
