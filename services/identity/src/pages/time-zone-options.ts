import { html } from '@crm/html';

/** All time zones by region, and the current one if it has an outdated name. */
export function timeZoneOptions(current: string) {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', current]);
  const regions = Map.groupBy([...zones].sort(), (zone) =>
    zone.includes('/') ? zone.split('/')[0] : 'Other',
  );
  return [...regions].map(
    ([region, names]) =>
      html`<optgroup label="${region}">${names.map(
        (zone) =>
          html`<option value="${zone}"${zone === current && html` selected`}>${zone.replaceAll('_', ' ')}</option>`,
      )}</optgroup>`,
  );
}
