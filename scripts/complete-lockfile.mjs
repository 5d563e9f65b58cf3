// Names in package-lock.json the optional packages of other platforms that the registry in use did not have.
// npm leaves such a package out of the lock file, and `npm ci` then refuses the file on every platform.
// Run after `npm install` has changed the lock file.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const named = new Set(Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)));

for (const [path, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    if (named.has(name) || !/^\d/.test(version)) continue;
    const platform = platformOf(name);
    if (!platform) throw new Error(`${path} wants ${name}, and its name does not tell its platform.`);
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(parent.dev && { dev: true }),
      optional: true,
    };
    console.error(`named ${name}@${version}`);
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

function platformOf(name) {
  const os = /darwin|android|linux|freebsd|win32|windows/.exec(name)?.[0].replace('windows', 'win32');
  const cpu = /arm64|x64|64/.exec(name.slice(name.indexOf('/')))?.[0].replace(/^64$/, 'x64');
  if (!os || !cpu) return undefined;
  return { cpu: [cpu], os: [os], ...(name.endsWith('-musl') && { libc: ['musl'] }) };
}
