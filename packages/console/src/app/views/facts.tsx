import type { ReactNode } from "react";

/** What is known of something, each with what it is. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className="facts">
      {Object.entries(of).map(([title, value]) => (
        <div key={title} className="member">
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
