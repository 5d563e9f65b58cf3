import { type FieldError, type FieldErrors, invalidFields } from '@crm/contract';
import { readRule } from '@crm/recurrence';
import { dueYears } from '@crm/scheduling/api';
import type { CampaignAction } from './campaign-action.entity.ts';
import { type TimingField, timingNeeds } from './unused-fields.api.ts';

/** An action whose fields may not match its type and timing yet. */
type WrittenAction = Pick<CampaignAction, 'type' | 'timing_type'> &
  Partial<Pick<CampaignAction, 'template_id' | 'notes' | 'is_stopped_on_text_reply' | TimingField>>;

const isTask = ({ type }: Pick<CampaignAction, 'type'>) => type.startsWith('Agent Task');

/**
 * The fields that depend on type and timing. Throws BadRequest with all errors. `storedMoment` is accepted again
 * whatever its year.
 */
export function dependentFieldsOf(action: WrittenAction, storedMoment: Date | null = null) {
  const reading = recurrenceOf(action);
  const errors = {
    ...wrongTiming(action, reading?.refusal),
    ...wrongYear(action, storedMoment),
    ...wrongTemplate(action),
  };
  if (Object.keys(errors).length > 0) throw invalidFields({ errors });
  const { type, timing_type, notes = null, is_stopped_on_text_reply = false } = action;
  const kept = <Field extends TimingField>(field: Field) =>
    timingNeeds[timing_type].includes(field) ? (action[field] ?? null) : null;
  return {
    delay_by_seconds: kept('delay_by_seconds'),
    delay_by_days: kept('delay_by_days'),
    dispatch_time: kept('dispatch_time'),
    dispatch_datetime: kept('dispatch_datetime'),
    recurrence: reading?.written ?? null,
    notes: isTask(action) ? notes : null,
    is_stopped_on_text_reply: type === 'Text Contact' && is_stopped_on_text_reply,
  };
}

/** The rule of a recurring action; the time of day is its `dispatch_time`. */
function recurrenceOf({ timing_type, recurrence, dispatch_time }: WrittenAction) {
  if (timing_type !== 'Recurring' || recurrence == null) return undefined;
  return readRule(recurrence, dispatch_time == null ? undefined : Temporal.PlainTime.from(dispatch_time));
}

function wrongTiming(action: WrittenAction, refusal: string | undefined): FieldErrors {
  const { timing_type } = action;
  if (timing_type === 'Recurring' && !isTask(action))
    return { timing_type: 'can be Recurring only for agent tasks' };
  const missing = timingNeeds[timing_type].filter((field) => action[field] == null);
  const errors = Object.fromEntries(missing.map((field) => [field, requiredWith(timing_type)]));
  return refusal ? { ...errors, recurrence: refusal } : errors;
}

/** A task created by an action must be due in the years that are allowed for every task. */
function wrongYear({ timing_type, dispatch_datetime }: WrittenAction, stored: Date | null): FieldErrors {
  if (!timingNeeds[timing_type].includes('dispatch_datetime') || dispatch_datetime == null) return {};
  const year = dispatch_datetime.getUTCFullYear();
  const isUnchanged = dispatch_datetime.getTime() === stored?.getTime();
  if (isUnchanged || (year >= dueYears.first && year <= dueYears.last)) return {};
  const message = `must be in the years ${dueYears.first} to ${dueYears.last}`;
  return { dispatch_datetime: { message, reason: 'out_of_range' } };
}

const requiredWith = (timing: string): FieldError => ({
  message: `is required with ${timing}`,
  reason: 'required',
});

function wrongTemplate(action: WrittenAction): FieldErrors {
  return isTask(action) && action.template_id != null
    ? { template_id: 'is not allowed for agent tasks' }
    : {};
}
