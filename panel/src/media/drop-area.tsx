import { type ReactNode, useRef, useState } from "react";

interface Props {
  readonly disabled: boolean;
  readonly multiple: boolean;
  drop(files: readonly File[]): void;
  /** Renders the content of the area; `browse` opens the system's file dialog. */
  children(browse: () => void): ReactNode;
}

/** Accepts dropped, pasted or chosen files. */
export const DropArea = ({ disabled, multiple, drop, children }: Props) => {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  if (disabled) return <div>{children(() => {})}</div>;
  const take = (list: FileList | null | undefined): void => {
    const files = [...(list ?? [])];
    if (files.length > 0) drop(multiple ? files : files.slice(0, 1));
  };
  return (
    <div
      className="drop"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
      onPaste={(event) => take(event.clipboardData.files)}
    >
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = "";
        }}
      />
      {children(() => input.current?.click())}
    </div>
  );
};
