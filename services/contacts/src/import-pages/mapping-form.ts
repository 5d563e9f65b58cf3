import { type Content, html, type Visitor } from '@crm/html';
import { contactsFormat } from '../contacts-format.ts';
import { importLimits } from '../imports/import.api.ts';
import { maxTagsLength } from '../tags/tag.api.ts';
import { type Choices, isSame, undecided } from './choices.ts';
import type { Shown } from './import-page.queries.ts';
import { importPath } from './paths.ts';
import { fieldLabel } from './texts.ts';

type Rows = readonly (readonly string[])[];

/** The fields that can be chosen for a column; further addresses are recognized by their headers. */
const fields = contactsFormat.cellFields.filter((field) => !/^address_\d|^owner$/.test(field));

interface Facts {
  readonly rows: Rows;
  readonly chosen: Choices;
}

/** The columns of a file, each with a field to choose, before the first rows. */
export const mappingForm = ({ form_token }: Visitor, shown: Shown, { rows, chosen }: Facts): Content => html`
<form method="post" action="${importPath(shown.id)}">
<input type="hidden" name="form_token" value="${form_token}">
${
  shown.columns.length > 0 &&
  html`<h2>What the columns mean</h2>
<div class="fields">${shown.columns.map((column, index) => columnField(column, index, { rows, chosen }))}</div>`
}
<h2>The first rows</h2>
${preview(shown, rows)}
<h2>How to import them</h2>
<div class="field">
<label for="duplicates">Rows of people who are already contacts</label>
<p class="hint" id="duplicates-hint">They are recognized by e-mail address or mobile phone. People who have
opted out of messages in the file get none from now on, whatever you choose.</p>
<select id="duplicates" name="duplicates" aria-describedby="duplicates-hint">
${choices(
  [
    ['skip', 'Leave the contact as it is'],
    ['update', 'Update the contact'],
    ['create', 'Add another contact'],
  ],
  chosen.duplicates,
)}
</select>
</div>
<div class="field">
<label for="tags">Tags for all of them</label>
<p class="hint" id="tags-hint">Separated by commas; may be empty.</p>
<input id="tags" name="tags" maxlength="${maxTagsLength}" aria-describedby="tags-hint" value="${chosen.tags}">
</div>
<div class="choice">
<input type="checkbox" id="create_missing" name="create_missing" value="true"${chosen.create_missing && html` checked`}>
<label for="create_missing">Create custom fields and hotnesses that do not exist</label>
</div>
<div class="actions">
<button class="primary" name="act" value="import">Import</button>
<button name="act" value="try">Try it first</button>
</div>
</form>`;

function columnField(
  { header, field }: Shown['columns'][number],
  index: number,
  { rows, chosen }: Facts,
): Content {
  const id = `column_${index}`;
  const examples = [...new Set(rows.map((cells) => cells[index] ?? '').filter((cell) => cell.trim() !== ''))];
  const own: readonly [string, string][] = field === null ? [] : [[field, fieldLabel(field)]];
  const open: readonly [string, string][] =
    chosen.fields[index] === undecided ? [[undecided, 'Choose: it could say who gets no messages']] : [];
  const others = fields.filter((one) => one !== field).map((one): [string, string] => [one, fieldLabel(one)]);
  const custom: [string, string] = [`custom:${header}`, `A custom field "${shortened(header)}"`];
  return html`<div class="field">
<label for="${id}">${header === '' ? `Column ${index + 1}` : shortened(header)}</label>
<p class="hint" id="${id}-hint">${examples.length > 0 ? examples.slice(0, 2).map(shortened).join(', ') : 'No values in these rows'}</p>
<select id="${id}" name="${id}" aria-describedby="${id}-hint">
${choices([...open, ...own, ['', 'Leave out'], ...(header === '' || field === custom[0] ? [] : [custom]), ...others], chosen.fields[index] ?? '')}
</select>
</div>`;
}

const choices = (all: readonly (readonly [string, string])[], chosen: string): Content =>
  all.map(
    ([value, label]) =>
      html`<option value="${value}"${isSame(chosen, value) && html` selected`}>${label}</option>`,
  );

const maxShown = 60;
const shortened = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

/** Scrolls on its own, so that the page fits a small screen. */
const preview = ({ columns }: Shown, rows: Rows): Content => html`
<div class="scroll" tabindex="0" role="region" aria-label="The first rows of the file">
<table>
${columns.length > 0 && html`<thead><tr>${columns.map(({ header }) => html`<th scope="col">${shortened(header)}</th>`)}</tr></thead>`}
<tbody>${rows.map(
  (cells) =>
    html`<tr>${(columns.length > 0 ? columns : cells).map((_, index) => html`<td>${shortened(cells[index] ?? '')}</td>`)}</tr>`,
)}</tbody>
</table>
</div>
<p class="muted small">The file may have ${importLimits.rows.toLocaleString('en-US')} rows.</p>`;
