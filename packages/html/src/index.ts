export { design } from './design.ts';
export { type Content, type Html, html, scriptElement } from './html.ts';
export { palette } from './palette.ts';
export { publicPage } from './public-page.ts';
export { privateHeaders, standalonePage } from './standalone-page.ts';
export { goTo, type Visitor, visitorsBy } from './visitors.ts';
