import type { Command } from 'commander';
import { printableJson } from './printable.ts';

/** The output of a command, for programs and for people. */
export interface Report {
  readonly json: object;
  /** Empty if the command has already written to standard output. */
  readonly text: string;
  /** Whether the command exits with 1 although it completed. */
  readonly failed?: boolean;
}

/** Read from the raw arguments, because errors in the arguments are reported as JSON too. */
export const wantsJson = (words: readonly string[]): boolean => words.includes('--json');

/** Thrown after the report of a command that completed but exits with 1. */
export class ReportOfFailure extends Error {
  override readonly name = 'ReportOfFailure';
}

/** Runs a command's action and writes its report to the output of the program. */
export function reporting<Arguments extends unknown[]>(act: (...given: Arguments) => Promise<Report>) {
  return async (...given: [...Arguments, Command]): Promise<void> => {
    const command = given.at(-1) as Command;
    const { json, text, failed } = await act(...(given.slice(0, -1) as Arguments));
    const output = command.optsWithGlobals().json ? printableJson(json) : text;
    if (output !== '') command.configureOutput().writeOut?.(`${output}\n`);
    if (failed) throw new ReportOfFailure('The report says why.');
  };
}
