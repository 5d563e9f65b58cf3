export { mergeFields } from './merge-fields.ts';
export { mergeValuesOf } from './merge-values.ts';
export { readMergeFields } from './read-merge-fields.ts';
export { render, renderSubject } from './render.ts';
