export const importsPath = '/account/import';
export const importPath = (id: number): string => `${importsPath}/${id}`;
export const exportPath = '/account/export';
