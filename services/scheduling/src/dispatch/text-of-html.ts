/** Elements whose contents are not shown. */
const hidden = ['script', 'style', 'head', 'title'];
/** Tags that begin a new line. */
const blocks = /^\/?(?:p|div|br|tr|table|ul|ol|li|h[1-6]|blockquote|hr|section|article|header|footer)$/;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  rsquo: '\u2019',
  lsquo: '\u2018',
  ldquo: '\u201c',
  rdquo: '\u201d',
};

/**
 * The text of an e-mail for readers that do not display HTML: its lines, with the URL of a link after its text. A single pass
 * from left to right, so that no markup, however broken, takes long.
 */
export function textOfHtml(html: string): string {
  let text = '';
  let link = '';
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      text += plain(html.slice(at));
      break;
    }
    text += plain(html.slice(at, open));
    const tag = tagAt(html, open);
    if (!tag) {
      text += '<';
      at = open + 1;
      continue;
    }
    if (blocks.test(tag.name)) text += '\n';
    if (tag.name === 'a') link = tag.href;
    if (tag.name === '/a') {
      if (link && !text.endsWith(link)) text += ` (${link})`;
      link = '';
    }
    at = hidden.includes(tag.name) ? endOf(html, tag.name, tag.end) : tag.end;
  }
  const lines = text.split('\n').map((line) => line.replace(/[^\S\n]+/g, ' ').trim());
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** The tag or comment that starts here, if one does. */
function tagAt(html: string, open: number) {
  if (html.startsWith('<!--', open)) return { name: '!', href: '', end: after(html, '-->', open) };
  if (!/[a-z/!?]/i.test(html[open + 1] ?? '')) return undefined;
  const end = after(html, '>', open);
  const inside = html.slice(open + 1, end - 1);
  const name =
    inside
      .slice(0, 20)
      .match(/^\/?[a-z][a-z0-9]*/i)?.[0]
      .toLowerCase() ?? '!';
  const href =
    name === 'a' ? (/\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(inside.slice(0, 4_000)) ?? []) : [];
  const where = decoded((href[1] ?? href[2] ?? '').trim());
  return { name, href: /^(?:https?|mailto):/i.test(where) ? where : '', end };
}

function endOf(html: string, name: string, from: number): number {
  const close = html.slice(from).search(new RegExp(`</${name}\\b`, 'i'));
  return close < 0 ? html.length : after(html, '>', from + close);
}

function after(html: string, what: string, from: number): number {
  const found = html.indexOf(what, from);
  return found < 0 ? html.length : found + what.length;
}

const plain = (text: string) => decoded(text.replace(/\s+/g, ' '));

const decoded = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
  });
