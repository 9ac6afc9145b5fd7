/** Why a text can be neither stored nor compared with stored text; undefined if it can. */
export const textFault = (text: string): string | undefined => {
  if (text.includes("\0")) return "It contains a null character";
  return text.isWellFormed() ? undefined : "It contains a part of a character (a lone surrogate)";
};
