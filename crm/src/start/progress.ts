import { printable } from '../printable.ts';

/** Shows what is being done and how long it took. */
export interface Progress {
  /** Does one step; `tell` adds what came of it. */
  step<Value>(name: string, work: () => Promise<Value>, tell?: (value: Value) => string): Promise<Value>;
  note(sentence: string): void;
}

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/**
 * A line for each step that is done, in the order they end; on a terminal also a last line that names what is
 * under way. `mayContinue` is asked before each step and throws when the start was called off.
 */
export function progressOn(screen: Screen, mayContinue: () => void): Progress {
  const pending = new Set<string>();
  const colour = (code: number, text: string) => (screen.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text);

  const show = (line?: string) => {
    if (screen.isTTY) screen.write('\r\x1b[2K');
    if (line !== undefined) screen.write(`${line}\n`);
    if (screen.isTTY && pending.size > 0) screen.write(colour(2, `  … ${[...pending].join(', ')}`));
  };

  return {
    async step(name, work, tell = () => '') {
      mayContinue();
      const began = performance.now();
      pending.add(name);
      show();
      try {
        const value = await work();
        pending.delete(name);
        const took = seconds(performance.now() - began).padStart(7);
        show(
          `  ${colour(32, '✓')} ${name.padEnd(20)} ${colour(2, took)}  ${printable(tell(value))}`.trimEnd(),
        );
        return value;
      } catch (error) {
        pending.delete(name);
        show(`  ${colour(31, '✗')} ${name}`);
        throw error;
      }
    },
    note: (sentence) => show(`  ${colour(33, '!')} ${printable(sentence)}`),
  };
}
