import {
  type BrokerSwitch,
  type BrokerSwitches,
  brokerSwitches,
  createSwitches,
  useSwitches,
} from '@crm/contract';
import { html } from '@crm/html';
import { checkbox } from './form.ts';

/** What each switch allows. */
const texts: Readonly<Record<BrokerSwitch, string>> = {
  user_can_see_broker_hotnesses: "Use the broker's hotnesses",
  is_lead_sources_enabled: "Use the broker's lead sources",
  is_contact_activity_settings_enabled: "Use the broker's alerts about contacts",
  is_lead_status_enabled: "Use the broker's lead statuses",
  is_contact_types_enabled: "Use the broker's contact types",
  is_custom_fields_enabled: "Use the broker's custom fields",
  is_contact_ownership_enabled: "Use the broker's contacts",
  user_can_create_own_hotnesses: 'Create hotnesses',
  is_lead_sources_new_enabled: 'Create lead sources',
  is_contact_activity_settings_new_enabled: 'Create alerts about contacts',
  is_lead_status_new_enabled: 'Create lead statuses',
  is_custom_fields_new_enabled: 'Create custom fields',
  is_contact_ownership_new_enabled: 'Create contacts',
  is_contact_types_new_enabled: 'Create contact types',
};

/** The switches that a form was sent with. */
export function switchesIn(fields: ReadonlyMap<string, string>): Record<string, boolean> {
  return Object.fromEntries(brokerSwitches.map((name) => [name, fields.has(name)]));
}

/** What the switches allow the user to do, and what they do not. */
export function switchesView(switches: BrokerSwitches) {
  const items = (on: boolean) =>
    brokerSwitches.filter((name) => switches[name] === on).map((name) => html`<li>${texts[name]}</li>`);
  return html`<div class="fields">
<div><p>You can</p><ul class="small">${items(true)}</ul></div>
${items(false).length > 0 && html`<div><p>You cannot</p><ul class="small">${items(false)}</ul></div>`}
</div>`;
}

/** A checkbox for each switch. */
export function switchFields(checked: Readonly<Record<string, boolean>>) {
  const box = (name: BrokerSwitch) => checkbox({ name, label: texts[name], isOn: checked[name] === true });
  return html`<div class="fields">
<fieldset><legend>What the user can use</legend>${useSwitches.map(box)}</fieldset>
<fieldset><legend>What the user can create</legend>${createSwitches.map(box)}</fieldset>
</div>`;
}
