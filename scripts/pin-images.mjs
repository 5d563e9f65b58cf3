// Pins the images of containers by the digests that their registries have for their tags now:
//   node scripts/pin-images.mjs            compares, and fails for a digest that is another one
//   node scripts/pin-images.mjs --write    writes them, after a tag was changed
// Needs Docker with buildx, and the network.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const files = [
  'Dockerfile',
  'docker-compose.yml',
  'deploy/compose/ha.yml',
  'deploy/compose/patroni.Dockerfile',
];
const reference = /(?<=^FROM |^ARG \w+_IMAGE=|^ *image: )([\w./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?(?=\s|$)/gm;

const isWriting = process.argv.includes('--write');
const root = new URL('../', import.meta.url);
const digests = new Map();

/** Of the index of all platforms, so that the same reference works on each. */
function digestOf(image) {
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  if (!digests.has(image)) digests.set(image, execFileSync('docker', args, { encoding: 'utf8' }).trim());
  const digest = digests.get(image);
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Error(`Docker has no digest of ${image}: "${digest}".`);
  return digest;
}

let isDifferent = false;
for (const file of files) {
  const path = new URL(file, root);
  const before = readFileSync(path, 'utf8');
  const after = before.replaceAll(reference, (_, image) => `${image}@${digestOf(image)}`);
  if (after === before) continue;
  if (isWriting) writeFileSync(path, after);
  else isDifferent = true;
  console.error(isWriting ? `${file} was written.` : `${file} has other digests than the registry.`);
}
process.exitCode = isDifferent ? 1 : 0;
