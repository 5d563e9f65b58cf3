import type { Shown } from './import-page.queries.ts';

/** A number with its noun. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

const texts: Readonly<Record<Shown['status'], string>> = {
  Uploading: 'is waiting for the rest of its file',
  Mapping: 'is waiting for you to confirm its columns',
  Waiting: 'is waiting for its turn',
  Running: 'is running',
  Done: 'done',
  Canceled: 'canceled',
  Failed: 'failed',
};

export const statusText = ({ status }: Pick<Shown, 'status'>): string => texts[status];

/** A field as people read it. */
export const fieldLabel = (field: string): string => {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
