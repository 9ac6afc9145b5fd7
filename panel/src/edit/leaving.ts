/** Asks before a page is left with input that is not saved. */
import { useEffect } from "react";

let isUnsaved = false;

/** Whether the page may be left; asks where there is something to lose. */
export const mayLeave = (question: string): boolean => {
  if (isUnsaved && !window.confirm(question)) return false;
  isUnsaved = false;
  return true;
};

/** Says that leaving is fine, although something was typed. */
export const leaveFreely = (): void => {
  isUnsaved = false;
};

export const useLeaving = (unsaved: boolean): void => {
  useEffect(() => {
    isUnsaved = unsaved;
    const ask = (event: BeforeUnloadEvent): void => {
      if (isUnsaved) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => {
      isUnsaved = false;
      window.removeEventListener("beforeunload", ask);
    };
  }, [unsaved]);
};
