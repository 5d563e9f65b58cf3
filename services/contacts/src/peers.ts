import { identityApi } from '@crm/identity/api';
import { peer } from '@crm/service';

export const identity = peer('identity', identityApi);
