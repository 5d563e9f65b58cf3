import { contractDocument } from '@crm/compatibility';
import { contracts } from '../src/index.ts';

/** The contract of each service as a document, with the path where it is committed. */
export const contractFiles = () =>
  Object.entries(contracts).map(([service, contract]) => ({
    name: `services/${service}/contract.json`,
    text: `${JSON.stringify(contractDocument(service, contract), null, 2)}\n`,
  }));
