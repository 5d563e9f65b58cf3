import { runService } from '@crm/service';
import { schedulingService } from './index.ts';

await runService(process.env, () => schedulingService);
