export const streamOf = (service: string) => `CRM_${service.toUpperCase().replaceAll('-', '_')}`;
