/** A local time, `20260131T093000`. */
export const localValue = (local: Temporal.PlainDateTime): string =>
  local.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');

/** A day, `20260131`. */
export const dayValue = (day: Temporal.PlainDate): string => day.toString().replaceAll('-', '');

/** A moment in UTC, `20260131T143000Z`. */
export const momentValue = (moment: Temporal.Instant): string =>
  moment.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
