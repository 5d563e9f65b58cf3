import { inWords, isStorable, type WebRequest } from '@crm/contract';
import { type Content, html } from '@crm/html';
import type { z } from 'zod';

/** The fields of a form, with the first value of a repeated field. Empty for any other type of body. */
export function fieldsOf({ headers, body }: WebRequest): ReadonlyMap<string, string> {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const fields = new Map<string, string>();
  if (type !== 'application/x-www-form-urlencoded') return fields;
  for (const [name, value] of new URLSearchParams(body)) if (!fields.has(name)) fields.set(name, value);
  return fields;
}

/** An address that was typed; empty for what no account can have. */
export function addressIn(fields: ReadonlyMap<string, string>, name = 'email'): string {
  const typed = fields.get(name)?.trim() ?? '';
  return isStorable(typed) ? typed : '';
}

/** Validation errors of a form: a sentence per field. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Why a form had no effect. */
export interface FormProblem {
  readonly status: number;
  /** The message above the form. */
  readonly title: string;
  readonly errors?: FieldErrors;
  /** The seconds until it can be submitted again. */
  readonly retryAfter?: number;
}

/** The problem when too many passwords are being checked or hashed. */
export const tooBusy: FormProblem = {
  status: 429,
  retryAfter: 1,
  title: 'The system is busy. Please try again in a moment.',
};

/** The values of a form, or its errors. */
export type FormResult<Values> = { readonly values: Values } | { readonly errors: FieldErrors };

/** Reads a form with a schema. */
export function readForm<Schema extends z.ZodType>(
  schema: Schema,
  given: Readonly<Record<string, unknown>>,
): FormResult<z.output<Schema>> {
  const result = schema.safeParse(given, { error: inWords });
  if (result.success) return { values: result.data };
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error.issues) errors[String(path[0])] ??= message;
  return { errors };
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: Content;
  readonly error?: string | undefined;
  /** Renders the control with the attributes that connect it to its label, hint and error. */
  readonly control: (attributes: Content) => Content;
}

/** A labeled control; screen readers read its hint and error with it. */
export function field({ name, label, hint, error, control }: Field) {
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  const attributes = html` id="${name}" name="${name}"${
    described !== '' && html` aria-describedby="${described}"`
  }${error && html` aria-invalid="true"`}`;
  return html`<div class="field${error && ' wrong'}">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${control(attributes)}
${error && html`<p class="error" id="${name}-error">${error}</p>`}
</div>`;
}

/** The field in which somebody who is not signed in enters the e-mail address of the account. */
export const emailField = (email = '', problem?: FormProblem) =>
  field({
    name: 'email',
    label: 'E-mail address',
    error: problem?.errors?.email,
    control: (attributes) =>
      html`<input${attributes} type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255" required value="${email}">`,
  });

/** The field for the current password. */
export const passwordField = (about: Pick<Field, 'name' | 'label' | 'error'>) =>
  field({
    ...about,
    control: (attributes) =>
      html`<input${attributes} type="password" autocomplete="current-password" maxlength="1024" required>`,
  });

interface Box extends Pick<Field, 'name' | 'label' | 'hint'> {
  readonly isOn?: boolean;
}

/** A checkbox; screen readers read its hint with it. */
export const checkbox = ({ name, label, hint, isOn = false }: Box) => html`<div class="choice">
<input type="checkbox" id="${name}" name="${name}" value="true"${
  hint && html` aria-describedby="${name}-hint"`
}${isOn && html` checked`}>
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`;

/** The problem of a form, with a link to each invalid field. It has the focus when the page is loaded. */
export function problemView(problem: FormProblem | undefined) {
  if (!problem) return undefined;
  const { title, errors = {} } = problem;
  const links = Object.entries(errors).map(([name, text]) => html`<li><a href="#${name}">${text}</a></li>`);
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus>
<p><strong>${title}</strong></p>
${links.length > 0 && html`<ul>${links}</ul>`}
</div>`;
}

export const hidden = (name: string, value: string) =>
  html`<input type="hidden" name="${name}" value="${value}">`;
