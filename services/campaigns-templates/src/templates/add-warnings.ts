import { type CheckedTemplate, checkTemplate } from './check-template.ts';

/** A template as it is read; `warnings` are the fields to check that it does not show, if warnings were asked for. */
type TemplateRow = Partial<CheckedTemplate> & {
  readonly id: number;
  readonly warnings?: Partial<CheckedTemplate>;
};

export async function addWarnings(rows: readonly TemplateRow[]) {
  return rows.map(({ warnings, ...row }) => ({
    ...row,
    ...(warnings && { warnings: checkTemplate({ ...row, ...warnings }) }),
  }));
}
