import { access } from 'node:fs/promises';
import { installDebianPackage } from '@crm/testing';
import { type Browser, chromium } from 'playwright-core';

/** The shell without windows first, which takes half of the processor time of the whole browser. */
const knownPaths = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * No sandbox, because it does not work as root and in many containers; only the pages of the tests are opened. The
 * limit has no process started in advance; sites still have processes of their own.
 */
const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--renderer-process-limit=1'];

/** Starts the browser of the machine, and installs one first if possible. Throws if there is none. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: flags });
}

async function findChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  const found = given ? await firstOf([given]) : await firstOf(knownPaths);
  if (found) return found;
  if (given) throw new Error(`CHROMIUM_PATH is "${given}", but this file does not exist.`);
  await installDebianPackage('chromium-headless-shell');
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
