import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { design } from '@crm/html';

export const stylesheet = design + readFileSync(new URL('./style.css', import.meta.url), 'utf8');

const hash = createHash('sha256').update(stylesheet).digest('base64url').slice(0, 16);

/** Contains a hash of the content, so that browsers may keep it forever. */
export const stylesheetName = `${hash}.css`;
