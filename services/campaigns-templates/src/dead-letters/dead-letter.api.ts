export { deadLetterApi } from '@crm/contract';
