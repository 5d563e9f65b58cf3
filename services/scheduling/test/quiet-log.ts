import { createLog } from '@crm/service';

export const log = createLog('scheduling', 'silent');
