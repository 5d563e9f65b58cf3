import { inWords } from '@crm/contract';
import { html } from '@crm/html';
import type { z } from 'zod';
import { ApplicationDraft } from '../applications/application.api.ts';
import type { OwnedApplication } from '../applications/owned-applications.queries.ts';
import { checkbox, type FieldErrors, type FormResult, field } from './form.ts';

/** The values in the fields of the form. */
export type ApplicationFields = Readonly<ReturnType<typeof typedFields>>;

export const fieldsAbout = ({
  name,
  redirect_uris,
  allows_implicit,
}: OwnedApplication): ApplicationFields => ({
  name,
  redirect_uris: redirect_uris.join('\n'),
  allows_implicit,
});

export const typedFields = (fields: ReadonlyMap<string, string>) => ({
  name: fields.get('name') ?? '',
  // One per line.
  redirect_uris: fields.get('redirect_uris') ?? '',
  allows_implicit: fields.has('allows_implicit'),
});

export function readApplication(
  fields: ReadonlyMap<string, string>,
): FormResult<z.output<typeof ApplicationDraft>> {
  const { name, redirect_uris, allows_implicit } = typedFields(fields);
  const lines = redirect_uris.split(/\r?\n/).map((line) => line.trim());
  const uris = lines.filter((line) => line !== '');
  const is_public = fields.has('is_public');
  const draft = { name: name.trim(), redirect_uris: uris, allows_implicit, is_public };
  const result = ApplicationDraft.safeParse(draft, { error: inWords });
  if (result.success) return { values: result.data };
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error.issues) {
    const [field = '', index] = path.map(String);
    const subject = index === undefined ? subjects[field] : `"${uris[Number(index)]}"`;
    errors[field] ??= `${subject} ${message}.`;
  }
  return { errors };
}

const subjects: Readonly<Record<string, string>> = {
  name: 'The name',
  redirect_uris: 'The list of redirect URIs',
};

export const applicationFields = (
  { name, redirect_uris, allows_implicit }: ApplicationFields,
  errors: FieldErrors = {},
) => html`
${field({
  name: 'name',
  label: 'Name',
  hint: 'Users see it when they are asked to approve the application.',
  error: errors.name,
  control: (attributes) =>
    html`<input${attributes} type="text" maxlength="255" autocomplete="off" required value="${name}">`,
})}
${field({
  name: 'redirect_uris',
  label: 'Redirect URIs',
  hint: 'One per line. Users are sent there after they have decided. Must match exactly.',
  error: errors.redirect_uris,
  // HTML ignores the first line break after the tag.
  control: (attributes) =>
    html`<textarea${attributes} rows="3" autocapitalize="none" spellcheck="false" required>
${redirect_uris}</textarea>`,
})}
${checkbox({
  name: 'allows_implicit',
  label: 'Allow the implicit grant',
  hint: 'Not recommended: the access token is sent in the address of a page, where other programs may see it. Only for old software that supports nothing else.',
  isOn: allows_implicit,
})}`;
