import { serviceUnderTest } from '@crm/service/testing';
import { campaignsTemplatesApi } from '../src/api.ts';
import { campaignsTemplatesService } from '../src/index.ts';

/** The whole service short of HTTP and the broker, on a database of its own. */
export const campaignsUnderTest = () => serviceUnderTest(campaignsTemplatesApi, campaignsTemplatesService);
