import { contractFiles } from './contract-files.ts';
import { writeOrCompare } from './write-or-compare.ts';

await writeOrCompare(contractFiles(), 'npm run contracts');
