import { type CheckedTemplate, checkTemplate } from './check-template.ts';

/** A template as it is read; `warnings` are the fields to check, if warnings were asked for. */
interface TemplateRow {
  readonly id: number;
  readonly warnings?: CheckedTemplate;
}

export async function addWarnings(rows: readonly TemplateRow[]) {
  return rows.map(({ warnings, ...row }) => ({
    ...row,
    ...(warnings && { warnings: checkTemplate(warnings) }),
  }));
}
