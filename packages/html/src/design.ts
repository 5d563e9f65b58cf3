import { readFileSync } from 'node:fs';
import { palette } from './palette.ts';

/** The style sheet that all pages begin with, in the color scheme that the reader prefers. */
export const design = palette + readFileSync(new URL('./design.css', import.meta.url), 'utf8');
