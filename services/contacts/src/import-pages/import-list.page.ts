import type { WebAnswer } from '@crm/contract';
import { html, standalonePage, type Visitor } from '@crm/html';
import { csvType, importLimits, linesType } from '../imports/import.api.ts';
import type { Listed } from './import-page.queries.ts';
import { exportPath, importPath, importsPath } from './paths.ts';
import { counted, statusText } from './texts.ts';

/** The form to send a file, the latest imports, and the download of contacts. */
export function importListPage(
  { form_token, timezone }: Visitor,
  imports: readonly Listed[],
  problem?: string,
): WebAnswer {
  const content = html`
${problem && html`<div class="notice bad" role="alert"><p>${problem}</p></div>`}
<p class="lead">Import contacts from a spreadsheet or another program. You see the columns and the first rows before
anything is imported.</p>
<form method="post" action="${importsPath}" enctype="multipart/form-data">
<input type="hidden" name="form_token" value="${form_token}">
<div class="field">
<label for="file">The file</label>
<p class="hint" id="file-hint">Drop it here or choose it: CSV, which Excel saves as "CSV UTF-8", or lines of JSON; at most
${importLimits.bytes / 1024 / 1024} MB.</p>
<input class="drop" type="file" id="file" name="file" required aria-describedby="file-hint"
 accept=".csv,.tsv,.txt,.ndjson,.jsonl,${csvType},${linesType}">
</div>
<button class="primary">Send the file</button>
</form>
<h2>Your imports</h2>
${
  imports.length > 0
    ? html`<ul class="stack">${imports.map((one) => entryView(one, timezone))}</ul>`
    : html`<p class="muted">You have not imported a file yet.</p>`
}
<h2>Export contacts</h2>
<p>The file contains all contacts that you can see, and can be imported again.</p>
<p><a class="button" href="${exportPath}">Download contacts as CSV</a></p>
<p><a href="/account">Back to your account</a></p>`;
  return standalonePage({
    status: problem === undefined ? 200 : 422,
    title: 'Contacts from a file',
    content,
    isWide: true,
  });
}

const entryView = (one: Listed, timeZone: string) => html`<li>
<h3><a href="${importPath(one.id)}">${one.name ?? `Import ${one.id}`}</a></h3>
<p class="muted small">${one.created_at.toLocaleString('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' })},
${statusText(one)}${one.rows > 0 && `, ${counted(one.rows, 'row')} read`}</p>
</li>`;
