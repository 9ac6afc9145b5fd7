/** What every field shows of its attribute: label, help and fault. */
import { Input } from "@mantine/core";
import type { ReactNode } from "react";
import type { FieldProps } from "../field.tsx";

interface Props extends Pick<FieldProps, "label" | "attribute"> {
  readonly fault: string | undefined;
  /** The id of the one input that the label belongs to; without it, the label is a text above several. */
  readonly id?: string;
  readonly children: ReactNode;
}

export const FieldFrame = ({ label, attribute, fault, id, children }: Props) => (
  <Input.Wrapper
    label={label}
    description={attribute.panel?.help}
    withAsterisk={attribute.required}
    error={fault}
    {...(id === undefined ? { labelElement: "div" } : { id })}
  >
    {children}
  </Input.Wrapper>
);

/** The props of an input that is a whole field. */
export const inputProps = ({ label, attribute: { required, panel }, readOnly }: FieldProps, fault?: string) => ({
  label,
  description: panel?.help,
  placeholder: panel?.placeholder,
  withAsterisk: required,
  readOnly,
  error: fault,
});
