/** In SQL, whether nothing may be sent for the sender of a row, or for anybody. */
export const isPaused = (row: string): string => `exists (
  select from sending_pauses pause where pause.user_id in (${everybody}, ${row}.send_from_user_id)
)`;

/** No user has this id; a pause with it is one of the installation. */
export const everybody = 0;
