export { causeApi } from '@crm/contract';
