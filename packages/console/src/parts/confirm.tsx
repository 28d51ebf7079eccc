import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { texts } from "../texts.js";
import { ApiError } from "./api.js";
import { Failure } from "./states.js";

/**
 * A button for something that changes the world: it asks first, in a dialog that says what will happen, and tries the same change
 * again under the same idempotency key when an answer was lost.
 */
export function ConfirmButton<T>({
  title,
  children,
  run,
  onDone,
  confirm = title,
  isDangerous = false,
  isDisabled = false,
}: {
  /** On the button, and of the dialog. */
  readonly title: string;
  /** What will happen, and what is asked for before. */
  readonly children: ReactNode;
  readonly run: (idempotencyKey: string) => Promise<T>;
  readonly onDone?: (result: T) => void;
  readonly confirm?: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const key = useRef("");
  const change = useMutation({
    mutationFn: () => run(key.current),
    onSuccess: (result) => {
      dialog.current?.close();
      onDone?.(result);
    },
    // What was refused has not happened: the next attempt may be about something else.
    onError: (error) => {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) key.current = crypto.randomUUID();
    },
  });
  const open = () => {
    key.current = crypto.randomUUID();
    change.reset();
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" className={isDangerous ? "danger" : "quiet"} disabled={isDisabled} onClick={open}>
        {title}
      </button>
      <dialog ref={dialog} aria-label={title}>
        <form
          className="confirmed"
          onSubmit={(event) => {
            event.preventDefault();
            if (!change.isPending) change.mutate();
          }}
        >
          <h2>{title}</h2>
          {children}
          {change.error ? <Failure error={change.error} /> : null}
          <p className="choices">
            <button type="button" className="quiet" onClick={() => dialog.current?.close()}>
              {texts.cancel}
            </button>
            <button type="submit" className={isDangerous ? "danger" : "main"} disabled={change.isPending}>
              {change.isPending ? texts.working : confirm}
            </button>
          </p>
        </form>
      </dialog>
    </>
  );
}
