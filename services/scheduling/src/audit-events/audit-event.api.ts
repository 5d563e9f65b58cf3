export { auditEventApi } from '@crm/contract';
