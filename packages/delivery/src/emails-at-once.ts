/** How many e-mails can be on their way to a mail server at once: as many as there are connections. */
export const emailsAtOnce = 10;
