/** The one file that knows of pages: everything else is the same under React Native. */
import { type ChangeEvent, type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { createMemoryStorage, type PaymentStorage, type SessionStorage, type Visibility } from "./platform.js";

/** The page's `localStorage`; memory where there is no page. */
export function pageStorage(): PaymentStorage {
  return typeof localStorage === "undefined" ? createMemoryStorage() : localStorage;
}

/**
 * The page's IndexedDB. What is in it is sealed with a key that the browser does not give out, so that a copy of its files is
 * worth nothing; a script that runs in the page can read it, as it can everything of the page. Memory where there is none.
 */
export function pageSessionStorage(): SessionStorage {
  // Both are missing on pages that come by http from elsewhere than this machine.
  if (typeof indexedDB === "undefined" || globalThis.crypto?.subtle === undefined) return createMemoryStorage();
  const opened = new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open("trellis", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("kept");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  // Who needs it hears of it.
  opened.catch(() => undefined);
  async function ask<Answer>(
    mode: "readonly" | "readwrite",
    act: (store: IDBObjectStore) => IDBRequest<Answer>,
  ): Promise<Answer> {
    const transaction = (await opened).transaction("kept", mode);
    const request = act(transaction.objectStore("kept"));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }
  const findKey = () => ask<CryptoKey | undefined>("readonly", (store) => store.get("key"));
  const getKey = async (): Promise<CryptoKey> => {
    const known = await findKey();
    if (known !== undefined) return known;
    const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    try {
      await ask("readwrite", (store) => store.add(made, "key"));
      return made;
    } catch (error) {
      // Another tab has made one at this moment.
      const theirs = await findKey();
      if (theirs === undefined) throw error;
      return theirs;
    }
  };
  // One channel for telling and hearing: what this tab tells, it does not hear.
  const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("trellis.kept");
  return {
    getItem: async (name) => {
      const key = await findKey();
      const sealed = await ask<Sealed | undefined>("readonly", (store) => store.get(`item ${name}`));
      if (key === undefined || sealed === undefined) return null;
      const bytes = await crypto.subtle.decrypt({ name: "AES-GCM", iv: sealed.iv }, key, sealed.bytes);
      return new TextDecoder().decode(bytes);
    },
    setItem: async (name, value) => {
      const key = await getKey();
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(value));
      await ask("readwrite", (store) => store.put({ iv, bytes } satisfies Sealed, `item ${name}`));
      channel?.postMessage(name);
    },
    removeItem: async (name) => {
      await ask("readwrite", (store) => store.delete(`item ${name}`));
      channel?.postMessage(name);
    },
    subscribe: (name, listener) => {
      const hear = ({ data }: MessageEvent) => {
        if (data === name) listener();
      };
      channel?.addEventListener("message", hear);
      return () => channel?.removeEventListener("message", hear);
    },
    exclusively: async (name, act) =>
      // Without locks two tabs may renew at once; the service answers one of them, and ends nothing.
      navigator.locks === undefined ? act() : navigator.locks.request(name, act),
  };
}

type Sealed = { readonly iv: Uint8Array<ArrayBuffer>; readonly bytes: ArrayBuffer };

/** Whether the page is in front; where there is none, always. */
export function pageVisibility(): Visibility {
  if (typeof document === "undefined") return { isVisible: () => true, subscribe: () => () => undefined };
  return {
    isVisible: () => document.visibilityState !== "hidden",
    subscribe: (listener) => {
      document.addEventListener("visibilitychange", listener);
      return () => document.removeEventListener("visibilitychange", listener);
    },
  };
}

export type CodeFormProps = {
  /** Gets the digits, as soon as they are complete or the form is sent. */
  readonly onCode: (code: string) => void;
  /** Said to everybody, screen readers included. */
  readonly error?: string | undefined;
  /** While a code is looked at: nothing can be typed. */
  readonly isBusy?: boolean;
  /** Default 6. */
  readonly length?: number;
  /** Default "Code from the mail". */
  readonly label?: ReactNode;
  /** A sentence below the label; has to say that the form sends itself. */
  readonly hint?: ReactNode;
  /** Default "Sign in". */
  readonly submitLabel?: ReactNode;
  readonly className?: string;
};

/**
 * A field for a one-time code, without looks: one input, which password managers and phones can fill in, into which a whole
 * mail may be pasted, and which needs no mouse. Its parts have the class names `trellis-code-form`, `…-label`, `…-hint`,
 * `…-input`, `…-error` and `…-submit`.
 */
export function CodeForm({
  onCode,
  error,
  isBusy = false,
  length = 6,
  label = "Code from the mail",
  hint = `${length} digits. They are sent as soon as they are complete.`,
  submitLabel = "Sign in",
  className = "trellis-code-form",
}: CodeFormProps): ReactNode {
  const id = useId();
  const [code, setCode] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const lastSent = useRef("");

  // A code that was wrong is to be typed over, without reaching for the mouse.
  useEffect(() => {
    if (error === undefined || isBusy) return;
    input.current?.focus();
    input.current?.select();
  }, [error, isBusy]);

  const send = (digits: string) => {
    if (isBusy || digits.length !== length) return;
    lastSent.current = digits;
    onCode(digits);
  };
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const digits = codeIn(target.value, length);
    setCode(digits);
    if (digits !== lastSent.current) send(digits);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(code);
  };

  return (
    <form className={className} onSubmit={submit} aria-busy={isBusy} noValidate>
      <label className={`${className}-label`} htmlFor={id}>
        {label}
      </label>
      <p className={`${className}-hint`} id={`${id}-hint`}>
        {hint}
      </p>
      <input
        ref={input}
        className={`${className}-input`}
        id={id}
        name="code"
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        enterKeyHint="go"
        placeholder={"0".repeat(length)}
        value={code}
        onChange={change}
        readOnly={isBusy}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint ${id}-error`}
        required
      />
      <p className={`${className}-error`} id={`${id}-error`} aria-live="assertive">
        {error}
      </p>
      <button className={`${className}-submit`} type="submit" disabled={isBusy || code.length !== length}>
        {submitLabel}
      </button>
    </form>
  );
}

/** The code in what was typed or pasted: the digits that stand together as one, else all there are. */
function codeIn(text: string, length: number): string {
  const whole = text.match(/\d+/g)?.find((run) => run.length === length);
  return whole ?? text.replaceAll(/\D/g, "").slice(0, length);
}
