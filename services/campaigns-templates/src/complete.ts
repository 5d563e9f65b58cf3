export { completePage, completeText } from '@crm/service';
