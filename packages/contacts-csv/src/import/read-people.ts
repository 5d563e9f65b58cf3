import type { Cell } from './cell.ts';
import type { Names } from './names.ts';
import type { Remarks } from './remark.ts';

const nobody = (name: string, header: string): string =>
  `"${name}" is not somebody whom the user works with; add that person first, or leave the column "${header}" out`;

/** People in a row are named by their e-mail address or full name. */
export function readPeople(cells: readonly Cell[], { person, userId }: Names, remarks: Remarks) {
  const idsIn = (field: string, separator: RegExp): readonly number[] =>
    cells
      .filter(({ column }) => column.field === field)
      .flatMap(({ column, value }) =>
        value.split(separator).flatMap((name) => {
          const id = person(name.trim());
          if (id === undefined) remarks.error(column.header, nobody(name.trim(), column.header));
          return id === undefined ? [] : [id];
        }),
      );
  const [assigned_user_id] = idsIn('assigned_to', /$^/);
  const owner = cells.find(({ column }) => column.field === 'owner');
  if (owner && person(owner.value) !== userId)
    remarks.error(
      owner.column.header,
      `belongs to ${owner.value}: import these rows for that user, or leave the column "${owner.column.header}" out`,
    );
  return { assigned_user_id, sharedWith: idsIn('shared_with', /[,;|]/) };
}
