import { type ReactNode, useState } from "react";

/** What is made only when the reader unfolds it. */
export function Fold({ title, children }: { readonly title: ReactNode; readonly children: () => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen ? children() : null}
    </details>
  );
}
