import { readFile, writeFile } from 'node:fs/promises';

interface GeneratedFile {
  /** The path in the repository. */
  readonly name: string;
  readonly text: string;
}

/** Writes generated files with `--write`. Otherwise the process fails if they differ from what would be written. */
export async function writeOrCompare(files: readonly GeneratedFile[], command: string): Promise<void> {
  for (const { name, text } of files) {
    const file = new URL(`../../${name}`, import.meta.url);
    if (process.argv.includes('--write')) {
      await writeFile(file, text);
    } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
      process.stderr.write(`${name} is out of date. Update it with \`${command}\` and review the diff.\n`);
      process.exitCode = 1;
    }
  }
}
