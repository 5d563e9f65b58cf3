import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runGate } from '../src/run-gate.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const documents = [
  'gateway/openapi.json',
  'packages/events/asyncapi.json',
  'services/contacts/contract.json',
  'services/identity/contract.json',
];

// biome-ignore lint/suspicious/noExplicitAny: a test reaches into documents that it knows.
export type Document = any;

/** A separate git repository, with documents of this project or with the files written to it. */
export function repository(folder = mkdtempSync(join(tmpdir(), 'crm-gate-'))) {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...words: readonly string[]) => {
    const settings = [
      '-c',
      'user.name=test',
      '-c',
      'user.email=test@crm.invalid',
      '-c',
      'commit.gpgsign=false',
      '-c',
      'core.compression=0',
    ];
    const { status, stdout, stderr } = spawnSync('git', [...settings, ...words], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  return {
    folder,
    git,
    write,
    copyDocuments: () => {
      for (const path of documents) cpSync(join(project, path), join(folder, path));
    },
    /** Changes a JSON document in place. */
    change: (path: string, edit: (document: Document) => void) => {
      const document = JSON.parse(readFileSync(join(folder, path), 'utf8'));
      edit(document);
      write(path, JSON.stringify(document));
    },
    commit: (message: string) => {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', message);
      return git('rev-parse', 'HEAD');
    },
    check: (...words: readonly string[]) => runGate(folder, words),
  };
}

/** A repository whose branch `main` has one commit, with this project's documents and a changelog. */
export function projectRepository() {
  const made = repository();
  made.git('init', '--quiet', '--initial-branch', 'main');
  made.copyDocuments();
  made.write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n');
  made.commit('First');
  return made;
}
