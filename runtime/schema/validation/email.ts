/** The definition of an e-mail address, for documents and authentication alike. */

/**
 * A local part of words joined by dots, an `@`, and a domain with a dot whose last part begins and ends with a letter.
 * Letters are not limited to ASCII.
 */
export const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~\-\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF]+)*@[A-Za-z\d\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF](?:[\w.~\-\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF]*[A-Za-z\d\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF])?\.[A-Za-z\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF](?:[\w.~\-\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF]*[A-Za-z\u00A0-\uD7FF\uF900-\uFDCF\uFDF0-\uFFEF])?$/;

/** Longer than any address that mail can be sent to. */
const LONGEST = 320;

/** Whether a text is an e-mail address, as far as its form tells. */
export const isEmail = (text: string): boolean => text.length <= LONGEST && EMAIL.test(text);
