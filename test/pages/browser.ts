import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const run = promisify(execFile);

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Chromium without its sandbox, which does not work as root and in many containers: it sees only our own pages. */
const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

/** The browser of the machine, installed first where that is possible. Throws when there is none. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: flags });
}

async function findChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  const found = given ? await firstOf([given]) : await firstOf(places);
  if (found) return found;
  if (given) throw new Error(`CHROMIUM_PATH is «${given}», and there is no file.`);
  await install();
  const installed = await firstOf(places);
  if (installed) return installed;
  throw new Error('There is no Chromium to test the pages with. Install it, or set CHROMIUM_PATH.');
}

async function firstOf(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}

/** As the administrator of a machine that has apt; elsewhere nothing can be done. */
async function install() {
  const isPossible = process.getuid?.() === 0 && (await firstOf(['/usr/bin/apt-get']));
  if (!isPossible) return;
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 300_000,
  });
}
