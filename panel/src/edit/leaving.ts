/** Asks before leaving a page with unsaved input. */
import { useEffect } from "react";

let isUnsaved = false;

/** Whether the page may be left; asks the user if there is unsaved input. */
export const mayLeave = (question: string): boolean => {
  if (isUnsaved && !window.confirm(question)) return false;
  isUnsaved = false;
  return true;
};

/** Allows leaving despite unsaved input. */
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
