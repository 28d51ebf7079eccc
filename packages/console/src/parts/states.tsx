import type { ReactNode } from "react";
import { texts } from "../texts.js";
import { ApiError } from "./api.js";
import { OutsideText } from "./outside-text.js";

/** What stands in place of something that could not be read. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const isApi = error instanceof ApiError;
  return (
    <div role="alert" className="notice alarm">
      <p>
        <OutsideText text={isApi ? error.message : texts.unexpected} />
      </p>
      {isApi && error.requestId !== undefined ? (
        <p className="faint">
          {texts.requestId} <code>{error.requestId}</code>
        </p>
      ) : null}
      {onRetry === undefined ? null : (
        <button type="button" onClick={onRetry}>
          {texts.retry}
        </button>
      )}
    </div>
  );
}

export function Loading() {
  return (
    <p role="status" className="faint">
      {texts.loading}
    </p>
  );
}

/** A heading, and what belongs to it. */
export function Card({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
}

/** A state in one word, whose colour says no more than the word. */
export function State({
  value,
  tone = "plain",
}: {
  readonly value: string;
  readonly tone?: "good" | "bad" | "waiting" | "plain";
}) {
  return <span className={`state ${tone}`}>{value.replaceAll("_", " ")}</span>;
}
