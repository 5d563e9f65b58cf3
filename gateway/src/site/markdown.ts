import { type Content, type Html, html } from '@crm/html';

/** The Markdown that the guides use: headings, paragraphs, tables, lists and code; links, code and emphasis within a line. */
export function markup(markdown: string): Html {
  return html`${blocksOf(markdown).map(blockMarkup)}`;
}

/** Blocks separated by blank lines; code keeps its blank lines. */
function blocksOf(markdown: string): string[] {
  return (markdown.match(/^```[\s\S]*?^```$|^.+(?:\n(?!```).+)*/gm) ?? []).map((block) => block.trimEnd());
}

function blockMarkup(block: string): Html {
  const [first = '', ...rest] = block.split('\n');
  if (first.startsWith('```')) return codeMarkup(first.slice(3), rest.slice(0, -1).join('\n'));
  if (first.startsWith('# ')) return html`<h1>${first.slice(2)}</h1>`;
  if (first.startsWith('## ')) return html`<h2 id="${slugOf(first.slice(3))}">${first.slice(3)}</h2>`;
  if (first.startsWith('### ')) return html`<h3 id="${first.slice(4)}">${first.slice(4)}</h3>`;
  if (first.startsWith('> ')) return html`<blockquote>${inline(first.slice(2))}</blockquote>`;
  if (first.startsWith('|')) return tableMarkup([first, ...rest]);
  if (first.startsWith('- ')) {
    const items = block.slice(2).split('\n- ');
    return html`<ul class="bullets">${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`;
  }
  return html`<p>${inline(block)}</p>`;
}

const slugOf = (heading: string) => heading.toLowerCase().replaceAll(/\W+/g, '-');

/** An HTTP response has its status after the language. */
function codeMarkup(info: string, code: string): Html {
  const [, status] = info.split(' ');
  return html`<figure>${status && html`<figcaption class="muted small">Response ${status}</figcaption>`}
<pre class="code"><code>${code}</code></pre></figure>`;
}

function tableMarkup([head = '', , ...rows]: readonly string[]): Html {
  const cellsOf = (row: string) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => inline(cell.trim()));
  return html`<table>
<thead><tr>${cellsOf(head).map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table>`;
}

/** Guides link to each other as files, but are served without the ending. */
function inline(text: string): Content {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/).map((part): Content => {
    if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    const [, label, target = ''] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    return label ? html`<a href="${target.replace(/\.md$/, '')}">${label}</a>` : part;
  });
}
