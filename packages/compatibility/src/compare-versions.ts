import { compareAsyncApi } from './asyncapi.ts';
import type { BreakingChange } from './breaking-change.ts';
import { acknowledgedIn } from './changelog.ts';
import { compareContracts } from './contracts.ts';
import { isJson, type Json } from './json-schema.ts';
import { compareOpenApi } from './openapi.ts';
import type { Version } from './version.ts';

export interface Comparison {
  /** Not listed in the changelog. */
  readonly undeclared: readonly BreakingChange[];
  readonly declared: readonly BreakingChange[];
  /** Documents that do not exist in the old version. */
  readonly added: readonly string[];
}

export function compareVersions(old: Version, now: Version): Comparison {
  const documents = [
    { path: 'gateway/openapi.json', compare: compareOpenApi },
    { path: 'packages/events/asyncapi.json', compare: compareAsyncApi },
    ...[...new Set([...old.contracts, ...now.contracts])].sort().map((path) => ({
      path,
      compare: (before: Json, after: Json) => compareContracts(path.split('/')[1] ?? '', before, after),
    })),
  ].map((document) => ({ ...document, before: old.read(document.path) }));
  const changes = documents.flatMap(({ path, before, compare }) => {
    const after = now.read(path);
    // A removed document no longer promises anything.
    return before === undefined ? [] : compare(read(before, path, old), read(after ?? '{}', path, now));
  });
  const named = acknowledgedIn(now.read('CHANGELOG.md') ?? '', old.read('CHANGELOG.md') ?? '');
  return {
    undeclared: changes.filter(({ id }) => !named.has(id)),
    declared: changes.filter(({ id }) => named.has(id)),
    added: documents.filter(({ before }) => before === undefined).map(({ path }) => path),
  };
}

function read(text: string, path: string, { name }: Version): Json {
  try {
    const document: unknown = JSON.parse(text);
    if (isJson(document)) return document;
  } catch {
    // Reported below with its path.
  }
  throw new Error(`${path} in ${name} is not a JSON object.`);
}
