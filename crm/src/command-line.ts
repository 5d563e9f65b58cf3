import type { Command } from 'commander';
import { printableJson } from './printable.ts';

/** What a command has to say: to a program, and to a person. */
export interface Report {
  readonly json: object;
  /** Empty when standard output already has what was asked for. */
  readonly text: string;
  /** Whether what was found is wrong although the command itself did its work. */
  readonly failed?: boolean;
}

/** Whether one JSON object is wanted; asked of the words themselves, because also a misspelt command is told so. */
export const wantsJson = (words: readonly string[]): boolean => words.includes('--json');

/** Runs a command's action and prints its one report. */
export function reporting<Arguments extends unknown[]>(act: (...given: Arguments) => Promise<Report>) {
  return async (...given: [...Arguments, Command]): Promise<void> => {
    const command = given.at(-1) as Command;
    const { json, text, failed } = await act(...(given.slice(0, -1) as Arguments));
    const output = command.optsWithGlobals().json ? printableJson(json) : text;
    if (output !== '') process.stdout.write(`${output}\n`);
    if (failed) process.exitCode = 1;
  };
}
