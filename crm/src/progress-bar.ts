/** Shows the progress of a long command. */
export interface ProgressBar {
  at(share: number, rows: number): void;
  end(): void;
}

/** Where a long command shows its progress, and what stops it. */
export interface Controls {
  readonly progress: ProgressBar;
  readonly throwIfStopped: () => void;
}

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const width = 30;
const linesEvery = 10_000;
const drawMs = 100;

/**
 * A bar on a terminal, a line every 10,000 rows elsewhere, nothing if `quiet`; with the rows per second since the start and the
 * remaining time at this rate.
 */
export function progressBarOn(screen: Screen, quiet: boolean, now = () => performance.now()): ProgressBar {
  const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
  const startedAt = now();
  let printed = 0;
  let drawnAt: number | undefined;
  const clear = () => {
    if (screen.isTTY && drawnAt !== undefined) screen.write('\r\x1b[2K');
  };
  const pace = (share: number, rows: number): string => {
    const seconds = (now() - startedAt) / 1000;
    if (seconds < 1 || share <= 0) return '';
    return `, ${count.format(rows / seconds)} rows/s, ${timeText((seconds / share) * (1 - share))} left`;
  };
  const draw = (share: number, rows: number) => {
    if (drawnAt !== undefined && now() - drawnAt < drawMs) return;
    drawnAt = now();
    const full = Math.round(share * width);
    const bar = '█'.repeat(full) + '░'.repeat(width - full);
    const text = `${Math.floor(share * 100)} %  ${count.format(rows)} rows${pace(share, rows)}`;
    screen.write(`\r\x1b[2K  ${bar} ${text}`);
  };
  return {
    at(given, rows) {
      if (quiet) return;
      const share = Math.min(given, 1);
      if (screen.isTTY) return draw(share, rows);
      if (rows - printed < linesEvery) return;
      printed = rows - (rows % linesEvery);
      screen.write(`${count.format(printed)} rows${pace(share, rows)}\n`);
    },
    end: clear,
  };
}

/** Such as 1:05:00 or 0:42. */
function timeText(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const short = `${minutes}:${String(whole % 60).padStart(2, '0')}`;
  return hours === 0 ? short : `${hours}:${short.padStart(5, '0')}`;
}
