/** The one file that knows of pages: everything else is the same under React Native. */

import { createMemoryStorage, isUsableWallet, type StandardWallet } from "@trellis/sdk";
import { type ChangeEvent, type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { PaymentStorage, Visibility, WalletRegistry } from "./platform.js";

/** The page's `localStorage`, of which one tab at a time has a payment; memory where there is no page, or it may keep nothing. */
export function pageStorage(): PaymentStorage {
  try {
    if (typeof localStorage === "undefined") return createMemoryStorage();
    const kept = localStorage;
    return {
      getItem: (key) => kept.getItem(key),
      setItem: (key, value) => kept.setItem(key, value),
      removeItem: (key) => kept.removeItem(key),
      exclusively: async (name, act) =>
        typeof navigator === "undefined" || navigator.locks === undefined ? act() : navigator.locks.request(name, act),
    };
  } catch {
    // Where a person has forbidden pages to keep anything, to mention it is an error.
    return createMemoryStorage();
  }
}

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

/** The wallets that the page's browser has, and those that register later, by the Wallet Standard; none where there is no page. */
export function pageWallets(): WalletRegistry {
  let usable: readonly StandardWallet[] = [];
  const listeners = new Set<() => void>();
  const change = (next: readonly StandardWallet[]): void => {
    usable = next;
    for (const listener of [...listeners]) listener();
  };
  const register = (...wallets: readonly StandardWallet[]): (() => void) => {
    change([...usable, ...wallets.filter((wallet) => isUsableWallet(wallet) && !usable.includes(wallet))]);
    return () => change(usable.filter((wallet) => !wallets.includes(wallet)));
  };
  if (typeof window !== "undefined" && typeof window.addEventListener === "function") {
    const api = Object.freeze({ register });
    window.addEventListener("wallet-standard:register-wallet", (event) => {
      (event as CustomEvent<(to: typeof api) => void>).detail(api);
    });
    window.dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: api }));
  }
  return {
    list: () => usable,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export type CodeFormProps = {
  /** Gets the digits, as soon as they are complete or the form is sent. */
  readonly onCode: (code: string) => void;
  /** Said to everybody, screen readers included. */
  readonly error?: string | undefined;
  /** While a code is checked: nothing can be typed. */
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
 * A field for a one-time code, without styles: one input, which password managers and phones can fill in, into which a whole
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
