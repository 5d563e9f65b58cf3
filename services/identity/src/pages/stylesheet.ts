import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export const stylesheet = readFileSync(new URL('./style.css', import.meta.url), 'utf8');

const hash = createHash('sha256').update(stylesheet).digest('base64url').slice(0, 16);

/** Named by what is in it, so that browsers may keep it for ever. */
export const stylesheetName = `${hash}.css`;
