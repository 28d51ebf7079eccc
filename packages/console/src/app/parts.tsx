import type { ExplainedError } from "@trellis/react";
import { ApiError } from "../parts/api.js";
import { Failure } from "../parts/states.js";
import { texts } from "./texts.js";

/** What went wrong with something that the hooks did, in a sentence for who reads the page. */
export function Unhappy({ error, onRetry }: { readonly error: ExplainedError; readonly onRetry?: () => void }) {
  return (
    <div role="alert" className="notice alarm" data-code={error.code}>
      <p>{error.help}</p>
      {onRetry === undefined ? null : (
        <button type="button" onClick={onRetry}>
          {texts.retry}
        </button>
      )}
    </div>
  );
}

/** Why there are no pages. */
export function PageFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404) return <p role="alert">{texts.closed}</p>;
  return <Failure error={error} onRetry={onRetry} />;
}
