import { inWords } from '@crm/contract';
import { html } from '@crm/html';
import { newPassword } from '../accounts/account.api.ts';
import { type FieldErrors, field } from './form.ts';

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

/** The new password that was entered, or its error as a sentence. */
export function readNewPassword(
  fields: ReadonlyMap<string, string>,
): { readonly password: string } | { readonly errors: FieldErrors } {
  const read = newPassword.safeParse(fields.get(name) ?? '', { error: inWords });
  if (read.success) return { password: read.data };
  return { errors: { [name]: `The new password ${read.error.issues[0]?.message}.` } };
}
