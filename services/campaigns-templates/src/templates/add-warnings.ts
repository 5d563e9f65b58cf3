import { type CheckedTemplate, checkTemplate } from './check-template.ts';

/**
 * A template as read from the database. If warnings were requested, `warnings` contains those fields to check that were
 * not selected themselves.
 */
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
