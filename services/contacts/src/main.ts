import { runService } from '@crm/service';
import { contactsService } from './index.ts';

await runService(process.env, () => contactsService);
