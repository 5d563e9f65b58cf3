// Checks that package-lock.json has the optional packages of all platforms, and lets npm install all of them.
// Run after `npm install` has changed the lock file.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const named = new Set(Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)));

// npm leaves out of the lock file what the registry in use does not have, and `npm ci` then refuses the file on every platform.
for (const [path, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    if (named.has(name) || !/^\d/.test(version)) continue;
    throw new Error(
      `The registry lacks ${name}@${version}. Choose a version of ${path} that it has for all platforms.`,
    );
  }
}

// npm silently leaves out an optional package whose `engines` do not fit the Node that runs npm. These hold
// programs, which no Node ever runs.
for (const [path, one] of Object.entries(lock.packages)) {
  if (/@eplightning\/nats-server-/.test(path)) delete one.engines;
}

lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
