import { type CheckedTemplate, checkTemplate } from './check-template.ts';

/** A template as it is read, with what its warnings are about; without it where nobody asked for warnings. */
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
