export { type Content, type Html, html, styleElement } from './html.ts';
export { palette } from './palette.ts';
