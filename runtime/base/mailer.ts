/** The interface for sending mail, for the built-in ways and for an application's own. */

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** Sends mail; an application may supply its own. */
export interface Mailer {
  /** Resolves when the mail has been handed over. */
  send(mail: Mail): Promise<void>;
}
