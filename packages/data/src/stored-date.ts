import { z } from 'zod';

/** A timestamp of a row. In a transaction the ORM's driver returns it as text. */
export const storedDate = z.coerce.date();

/** A timestamp of a row as an ISO 8601 text. */
export const storedInstant = storedDate.transform((date) => date.toISOString());
