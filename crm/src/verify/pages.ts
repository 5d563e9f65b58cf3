/** Rows page by page. `read` returns those after the last row of the previous page, in the order of their ids. */
export async function* pages<Row extends { readonly id: number | string }>(
  first: Row['id'],
  read: (last: Row['id']) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last = first; ; ) {
    const rows = await read(last);
    const end = rows.at(-1);
    if (!end) return;
    yield rows;
    last = end.id;
  }
}
