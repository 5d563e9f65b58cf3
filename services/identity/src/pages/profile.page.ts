import { html } from '@crm/html';
import type { CurrentUser } from '../me/me.queries.ts';
import { checkbox, type FieldErrors, field } from './form.ts';
import { paths } from './paths.ts';
import type { ProfileFields } from './profile-form.ts';
import { timeZoneOptions } from './time-zone-options.ts';
import { formTo, type Visit } from './visit.ts';

export const profileView = (visit: Visit, fields: ProfileFields, errors: FieldErrors = {}) => html`
<section class="card" aria-labelledby="profile">
<h2 id="profile">Your profile</h2>
${formTo(
  visit,
  paths.profile,
  html`<div class="fields">
${textField({ name: 'first_name', label: 'First name', autocomplete: 'given-name' }, fields, errors)}
${textField({ name: 'last_name', label: 'Last name', autocomplete: 'family-name' }, fields, errors)}
</div>
${field({
  name: 'phone',
  label: 'Phone number',
  hint: 'For texts and calls about leads and tasks, such as (415) 555-2671. Outside North America, begin with + and the country code.',
  error: errors.phone,
  control: (attributes) =>
    html`<input${attributes} type="tel" maxlength="255" autocomplete="tel" value="${fields.phone}">`,
})}
${field({
  name: 'timezone',
  label: 'Time zone',
  error: errors.timezone,
  control: (attributes) => html`<select${attributes}>${timeZoneOptions(fields.timezone)}</select>`,
})}
<fieldset>
<legend>Alerts about leads and tasks</legend>
<p class="hint">Alerts that you switch off are sent by e-mail instead.</p>
${checkbox({ name: 'has_text_alerts', label: 'As texts', isOn: fields.has_text_alerts })}
${checkbox({ name: 'has_call_alerts', label: 'As calls', isOn: fields.has_call_alerts })}
</fieldset>
<button class="primary">Save</button>`,
)}
</section>`;

interface TextField {
  readonly name: 'first_name' | 'last_name';
  readonly label: string;
  readonly autocomplete: string;
}

const textField = ({ name, label, autocomplete }: TextField, fields: ProfileFields, errors: FieldErrors) =>
  field({
    name,
    label,
    error: errors[name],
    control: (attributes) =>
      html`<input${attributes} type="text" maxlength="255" autocomplete="${autocomplete}" value="${fields[name]}">`,
  });

/** The form for the code that was sent to a new number. */
export const confirmationView = (visit: Visit, user: CurrentUser, error: string | undefined) => html`
<section class="card" aria-labelledby="confirmation">
<div class="heading">
<h2 id="confirmation">Confirm ${user.pending_phone}</h2>
<p class="muted">${user.pending_phone_problem === null && 'A text with a code was sent to this number. '}Until the number is
confirmed, ${user.phone === null ? 'you get no texts or calls' : html`texts and calls go to ${user.phone}`}.</p>
</div>
${user.pending_phone_problem !== null && html`<p class="notice warn">${user.pending_phone_problem}</p>`}
${formTo(
  visit,
  paths.phoneConfirmation,
  html`${field({
    name: 'code',
    label: 'Code',
    hint: 'Six digits, valid for 10 minutes.',
    error,
    control: (attributes) =>
      html`<input${attributes} type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required>`,
  })}
<button class="primary">Confirm</button>`,
)}
${formTo(visit, paths.phoneCode, html`<button>Send another code</button>`)}
</section>`;
