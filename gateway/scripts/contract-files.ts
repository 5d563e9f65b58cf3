import { contractDocument } from '@crm/compatibility';
import { contracts } from '../src/index.ts';

/** The contract of each service as a document, and where it is committed. */
export function contractFiles() {
  return Object.entries(contracts).map(([service, contract]) => {
    const name = `services/${service}/contract.json`;
    return {
      name,
      file: new URL(`../../${name}`, import.meta.url),
      text: `${JSON.stringify(contractDocument(service, contract), null, 2)}\n`,
    };
  });
}
