import type { Form } from "./form.ts";

/** Scrolls to the first of the fields, or to the entry that contains it, and focuses its control. */
export const showFault = (form: Form, paths: Iterable<string>): void => {
  const [first] = paths;
  // Fields of collapsed entries have to render first.
  requestAnimationFrame(() => {
    const steps = first?.split(".") ?? [];
    for (let length = steps.length; length > 0; length -= 1) {
      const element = document.getElementById(form.elementId(steps.slice(0, length)));
      if (!element) continue;
      element.scrollIntoView({ block: "center" });
      element
        .querySelector<HTMLElement>("input, textarea, [contenteditable=true], button")
        ?.focus({ preventScroll: true });
      return;
    }
  });
};
