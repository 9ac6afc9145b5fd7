import { type ChangeEvent, useState } from "react";

/** The values of a small form, and what connects its inputs to them. */
export const useInputs = <Name extends string>(initial: Readonly<Record<Name, string>>) => {
  const [values, setValues] = useState(initial);
  const set = (name: Name, value: string): void => setValues((before) => ({ ...before, [name]: value }));
  return {
    values,
    set,
    /** The props of an input of text. */
    text: (name: Name) => ({
      value: values[name],
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set(name, currentTarget.value),
    }),
    /** The props of a choice, of which one is always made. */
    choice: (name: Name) => ({
      value: values[name],
      allowDeselect: false,
      onChange: (value: string | null) => set(name, value ?? values[name]),
    }),
  };
};
