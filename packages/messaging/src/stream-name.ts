export const streamOf = (service: string) => `CRM_${service.toUpperCase().replaceAll('-', '_')}`;

/** The subjects of all events of a service. */
export const subjectsOf = (service: string) => `crm.${service}.>`;

/** What the subject of a message that is delivered to one consumer again begins with. */
export const redrivePrefix = 'crm-redrive.';
