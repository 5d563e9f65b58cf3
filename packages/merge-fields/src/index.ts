export { isMergeField, type MergeField, mergeFields } from './merge-fields.ts';
export { mergeValuesOf } from './merge-values.ts';
export { readMergeFields } from './read-merge-fields.ts';
export { type MergeValues, type Rendered, render, renderSubject } from './render.ts';
