import { agentTaskTypes, communicationTypes, type timingTypes } from '@crm/scheduling/api';

const timingFields = [
  'delay_by_seconds',
  'delay_by_days',
  'dispatch_time',
  'dispatch_datetime',
  'recurrence',
] as const;

export type TimingField = (typeof timingFields)[number];

/** The fields that each timing type requires. */
export const timingNeeds: Readonly<Record<(typeof timingTypes)[number], readonly TimingField[]>> = {
  'Delay by Day and Time': ['delay_by_days', 'dispatch_time'],
  'Delay by Minutes': ['delay_by_seconds'],
  'Exact Date and Time': ['dispatch_datetime'],
  Recurring: ['delay_by_days', 'dispatch_time', 'recurrence'],
};

/** The fields that the type and timing type sent do not use. Forms send all fields, with any content. */
export function unusedFields({
  type: sent,
  timing_type,
}: {
  readonly type?: unknown;
  readonly timing_type?: unknown;
}): readonly string[] {
  const [, needed] = Object.entries(timingNeeds).find(([type]) => type === timing_type) ?? [];
  const isCommunication = communicationTypes.some((type) => type === sent);
  const isText = sent === 'Text Contact';
  return [
    ...(needed ? timingFields.filter((field) => !needed.includes(field)) : []),
    ...(isCommunication ? ['notes'] : []),
    ...(!isText && (isCommunication || agentTaskTypes.some((type) => type === sent))
      ? ['is_stopped_on_text_reply']
      : []),
  ];
}
