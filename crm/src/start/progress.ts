import { printable } from '../printable.ts';

/** Shows the steps of a start and how long they took. */
export interface Progress {
  /** Runs one step; `describe` turns its result into text. */
  step<Value>(name: string, work: () => Promise<Value>, describe?: (value: Value) => string): Promise<Value>;
  note(sentence: string): void;
}

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/**
 * Prints a line for each finished step and, on a terminal, a last line with the running ones. `throwIfStopped` is
 * called before each step.
 */
export function progressOn(screen: Screen, throwIfStopped: () => void): Progress {
  const pending = new Set<string>();
  const color = (code: number, text: string) => (screen.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text);

  const show = (line?: string) => {
    if (screen.isTTY) screen.write('\r\x1b[2K');
    if (line !== undefined) screen.write(`${line}\n`);
    if (screen.isTTY && pending.size > 0) screen.write(color(2, `  … ${[...pending].join(', ')}`));
  };

  return {
    async step(name, work, describe = () => '') {
      throwIfStopped();
      const startedAt = performance.now();
      pending.add(name);
      show();
      try {
        const value = await work();
        pending.delete(name);
        const took = seconds(performance.now() - startedAt).padStart(7);
        show(
          `  ${color(32, '✓')} ${name.padEnd(20)} ${color(2, took)}  ${printable(describe(value))}`.trimEnd(),
        );
        return value;
      } catch (error) {
        pending.delete(name);
        show(`  ${color(31, '✗')} ${name}`);
        throw error;
      }
    },
    note: (sentence) => show(`  ${color(33, '!')} ${printable(sentence)}`),
  };
}
