import type { WebAnswer } from '@crm/contract';
import { type Content, html, standalonePage, type Visitor } from '@crm/html';
import { type Choices, choicesOf } from './choices.ts';
import type { Shown } from './import-page.queries.ts';
import { mappingForm } from './mapping-form.ts';
import { importPath, importsPath } from './paths.ts';
import { counted, statusText } from './texts.ts';

interface Facts {
  /** Of a file that waits for its columns. */
  readonly rows: readonly (readonly string[])[];
  /** Why a form was refused, and what was chosen in it. */
  readonly problem?: string | undefined;
  readonly chosen?: Choices | undefined;
}

/** Seconds after which a browser asks for the progress again. */
const refreshSeconds = 2;

/** An import in the state that it has. */
export function importPage(visitor: Visitor, shown: Shown, facts: Facts): WebAnswer {
  const { problem } = facts;
  const isMoving = ['Uploading', 'Waiting', 'Running'].includes(shown.status);
  const content = html`
${problem && html`<div class="notice bad" role="alert"><p>${problem}</p></div>`}
${shown.status === 'Mapping' ? mappingView(visitor, shown, facts) : stateView(visitor, shown, isMoving)}
<p><a href="${importsPath}">All imports</a></p>`;
  return standalonePage({
    status: problem === undefined ? 200 : 422,
    title: shown.name ?? `Import ${shown.id}`,
    content,
    isWide: true,
    ...(isMoving && { headers: { refresh: String(refreshSeconds) } }),
  });
}

const mappingView = (
  visitor: Visitor,
  shown: Shown,
  { rows, chosen = choicesOf(shown) }: Facts,
): Content => html`
${
  shown.rows > 0 &&
  html`<div class="notice" role="status"><p><strong>This is what an import would do now. Nothing was changed.</strong></p>
${outcomeView(shown)}</div>`
}
${mappingForm(visitor, shown, { rows, chosen })}
${cancelForm(visitor, shown)}`;

const stateView = (visitor: Visitor, shown: Shown, isMoving: boolean): Content => html`
${shown.status === 'Failed' && html`<div class="notice bad" role="alert"><p><strong>The import has failed.</strong> ${shown.error}</p></div>`}
<p role="status">${shown.dry_run && 'This is a trial run, which changes nothing. '}The import ${
  isMoving ? statusText(shown) : html`is ${shown.status === 'Failed' ? 'over' : statusText(shown)}`
}.</p>
${
  isMoving &&
  html`<label for="progress">${shown.progress} percent${shown.rows_per_second !== null && `, ${counted(Math.round(shown.rows_per_second), 'row')} per second`}</label>
<progress id="progress" max="100" value="${shown.progress}"></progress>
<p class="muted small">This page updates every few seconds. You can leave it.</p>`
}
${outcomeView(shown)}
${isMoving && cancelForm(visitor, shown)}`;

/** The outcome of the rows so far. */
function outcomeView({ id, rows, created, updated, skipped, failed, warned }: Shown): Content {
  const facts: readonly (readonly [string, number])[] = [
    ['Rows read', rows],
    ['New contacts', created],
    ['Contacts updated', updated],
    ['Contacts left unchanged', skipped],
    ['Rows refused', failed],
  ];
  return html`<dl class="details">${facts.map(
    ([name, count]) => html`<div><dt>${name}</dt><dd>${count.toLocaleString('en-US')}</dd></div>`,
  )}</dl>
${
  failed > 0 &&
  html`<p><a class="button" href="${importPath(id)}/errors">Download the ${counted(failed, 'refused row')}</a></p>
<p class="muted small">Each row ends with the reason. Correct the rows and send this file.</p>`
}
${
  warned > 0 &&
  html`<p><a href="${importPath(id)}/warnings">Download ${counted(warned, 'row')} with warnings</a></p>`
}`;
}

const cancelForm = ({ form_token }: Visitor, { id, status }: Shown): Content => html`
<form method="post" action="${importPath(id)}">
<input type="hidden" name="form_token" value="${form_token}">
<button class="danger" name="act" value="cancel">${status === 'Mapping' ? 'Do not import this file' : 'Cancel the import'}</button>
</form>`;
