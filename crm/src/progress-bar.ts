import { printable } from './printable.ts';

/** Shows the progress of a long command. */
export interface ProgressBar {
  note(sentence: string): void;
  at(share: number, rows: number): void;
  end(): void;
}

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const width = 30;
const linesEvery = 10_000;
const drawMs = 100;

/** A bar on a terminal, a line every 10,000 rows elsewhere, nothing if `quiet`. */
export function progressBarOn(screen: Screen, quiet: boolean): ProgressBar {
  const count = new Intl.NumberFormat('en');
  let printed = 0;
  let drawnAt = 0;
  const clear = () => {
    if (screen.isTTY && drawnAt > 0) screen.write('\r\x1b[2K');
  };
  const draw = (share: number, rows: number) => {
    if (performance.now() - drawnAt < drawMs) return;
    drawnAt = performance.now();
    const full = Math.round(Math.min(share, 1) * width);
    const bar = '█'.repeat(full) + '░'.repeat(width - full);
    screen.write(`\r\x1b[2K  ${bar} ${Math.floor(Math.min(share, 1) * 100)} %  ${count.format(rows)} rows`);
  };
  return {
    note(sentence) {
      if (quiet) return;
      clear();
      screen.write(`${printable(sentence)}\n`);
    },
    at(share, rows) {
      if (quiet) return;
      if (screen.isTTY) return draw(share, rows);
      if (rows - printed < linesEvery) return;
      printed = rows - (rows % linesEvery);
      screen.write(`${count.format(printed)} rows\n`);
    },
    end: clear,
  };
}
