import { html } from '@crm/html';
import { z } from 'zod';
import { newPassword } from '../accounts/account.api.ts';
import { type FieldErrors, field, readForm } from './form.ts';

const name = 'new_password';

/** The field for a new password. */
export const newPasswordField = (errors: FieldErrors = {}) =>
  field({
    name,
    label: 'New password',
    hint: 'At least 8 characters.',
    error: errors[name],
    control: (attributes) =>
      html`<input${attributes} type="password" autocomplete="new-password" minlength="8" maxlength="1024" required>`,
  });

const NewPassword = z.object({ [name]: newPassword });

/** The new password that was entered, or its error as a sentence. */
export function readNewPassword(
  fields: ReadonlyMap<string, string>,
): { readonly password: string } | { readonly errors: FieldErrors } {
  const read = readForm(NewPassword, { [name]: fields.get(name) ?? '' });
  if ('values' in read) return { password: read.values[name] ?? '' };
  return { errors: { [name]: `The new password ${read.errors[name]}.` } };
}
