export const streamOf = (service: string) => `CRM_${service.toUpperCase().replaceAll('-', '_')}`;

/** The subjects of all events of a service. */
export const subjectsOf = (service: string) => `crm.${service}.>`;

/** The prefix of the subjects of messages that are redelivered to one consumer. */
export const redrivePrefix = 'crm-redrive.';
