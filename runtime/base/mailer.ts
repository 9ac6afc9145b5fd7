/** What mails are sent by: one interface for our own ways and for what an application brings. */

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** What sends mails; an application may bring its own. */
export interface Mailer {
  /** Resolves when the mail has been handed over. */
  send(mail: Mail): Promise<void>;
}
