export { contractDocument } from './contract-document.ts';
