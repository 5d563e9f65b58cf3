import { registerHooks } from 'node:module';

const project = new URL('../../../', import.meta.url).href;

/** What lies beside each other is found in the same way: in a package of npm a folder, in this project a workspace. */
const placePattern = /^(?:node_modules\/.*\/|(?:packages|services)\/[^/]+\/|[^/]+\/)/;

const folderOf = (url) => url.slice(0, url.lastIndexOf('/') + 1);

/** The formats of files, by folder and ending. */
const formats = new Map();
/** What names of packages lead to, by the place that they are named in. */
const packages = new Map();

/**
 * Node looks for the package of a file, and for what a name leads to, once for each import, of which a start has 7,000. It is
 * told what it has found before. Only imports are: whatever `require` finds depends on more.
 */
function resolve(specifier, context, nextResolve) {
  const { parentURL, conditions } = context;
  if (!parentURL?.startsWith(project) || !conditions.includes('import'))
    return nextResolve(specifier, context);
  return specifier.startsWith('.')
    ? resolveFile(new URL(specifier, parentURL).href, () => nextResolve(specifier, context))
    : resolvePackage(specifier, parentURL, () => nextResolve(specifier, context));
}

/** A missing file is missed when it is read. */
function resolveFile(url, find) {
  const kind = folderOf(url) + url.slice(url.lastIndexOf('.'));
  const format = formats.get(kind);
  if (format !== undefined) return { url, format, shortCircuit: true };
  const found = find();
  // Otherwise it is a link.
  if (found.url === url) formats.set(kind, found.format);
  return found;
}

function resolvePackage(specifier, parentURL, find) {
  const key = `${specifier} ${placePattern.exec(parentURL.slice(project.length))?.[0]}`;
  const known = packages.get(key) ?? { ...find(), shortCircuit: true };
  packages.set(key, known);
  return known;
}

registerHooks({ resolve });
