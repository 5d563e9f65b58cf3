import { readFileSync } from 'node:fs';
import { palette } from './palette.ts';

/** The style sheet that all pages start with, in the reader's preferred color scheme. */
export const design = palette + readFileSync(new URL('./design.css', import.meta.url), 'utf8');
