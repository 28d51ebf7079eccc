import { type ReactNode, useEffect, useRef } from "react";

/** What takes the place of what the reader has just used: the keyboard and the screen reader go on there. */
export function Step({ children }: { readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className="step">
      {children}
    </div>
  );
}
