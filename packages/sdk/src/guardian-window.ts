import { encodeHex } from "./encoding.js";
import {
  ApprovalDeclinedError,
  type GuardianPage,
  GuardianPageError,
  type GuardianWindow,
  pageAddress,
  readStamp,
  stampOf,
} from "./guardian-page.js";
import type { PasskeySignedPayload } from "./wire.js";

const closedCheckMs = 500;
/** Those that have shown a payload: they close behind its answer. */
const used = new WeakSet<Window>();

/** The window for a payload; null: the browser opens none. Rejects the payload where the user has closed the window before it was shown. */
export function windowFor({ window }: GuardianPage): Window | null {
  const opened = window?.opened;
  if (opened === null || opened?.closed === false) return opened;
  if (opened !== undefined && !used.has(opened)) throw closedByUser();
  return openGuardianWindow().opened;
}

/**
 * Opens an empty window for the guardian's page. Call it as the first thing in the handler of a tap, before anything is waited for: Safari
 * opens none later. Give what it answers to the call as `page.window`.
 */
export function openGuardianWindow(): GuardianWindow {
  const open = (globalThis as { open?: Window["open"] }).open;
  return { opened: open?.call(globalThis, "about:blank", "_blank", "popup,width=480,height=800") ?? null };
}

type HolderWithPage = {
  readonly passkeys?: { readonly passkeys: readonly { readonly provider: string }[]; readonly page?: GuardianPage };
};

/**
 * Opens the window that a holder's approvals will want, now. Where the browser refuses and there is no other way, throws before anything is
 * prepared. `close` ends the window if the page has not done it.
 */
export function openWindowFor<Holder extends HolderWithPage>(
  holder: Holder,
): { readonly holder: Holder; close(): void } {
  const { passkeys } = holder;
  const { page } = passkeys ?? {};
  const isWanted =
    page !== undefined &&
    (page.form ?? "window") === "window" &&
    passkeys?.passkeys.some(({ provider }) => provider === page.provider) === true;
  if (!isWanted) return { holder, close: () => undefined };
  const window = page.window ?? openGuardianWindow();
  if (window.opened === null && page.redirect === undefined) throw windowBlocked();
  return {
    holder: { ...holder, passkeys: { ...passkeys, page: { ...page, window } } },
    close: () => window.opened?.close(),
  };
}

export const windowBlocked = (): GuardianPageError =>
  new GuardianPageError(
    "guardian_window_blocked",
    "the browser opens no window: ask within the handler of a tap, or give page.redirect",
  );

/**
 * Has the guardian's page in a window show a payload, and waits for what the passkey signs there. Never waits for a window that is closed
 * or cut off.
 */
export async function approveInWindow(
  payload: string,
  credentials: readonly string[],
  origin: string,
  opened: Window,
): Promise<PasskeySignedPayload> {
  const state = encodeHex(crypto.getRandomValues(new Uint8Array(16)));
  used.add(opened);
  return new Promise((resolve, reject) => {
    let isShown = false;
    const hear = ({ origin: from, source, data }: MessageEvent) => {
      if (from !== origin || source !== opened || data?.state !== state) return;
      if (data.type === "trellis.approval.shown") isShown = true;
      if (data.type !== "trellis.approval") return;
      const outcome = data.expired === true ? "expired" : data.stamp === undefined ? "declined" : "approved";
      end(() => resolve(stampOf(outcome, data.stamp && readStamp(data.stamp))));
    };
    const end = (settle: () => void) => {
      removeEventListener("message", hear);
      clearInterval(closed);
      try {
        settle();
      } catch (error) {
        reject(error);
      }
    };
    // A page that closes itself has answered before, and its message may arrive behind this check.
    let wasClosed = false;
    const closed = setInterval(() => {
      if (wasClosed) end(() => reject(isShown ? closedByUser() : unreached()));
      wasClosed = opened.closed;
    }, closedCheckMs);
    addEventListener("message", hear);
    opened.location.replace(
      pageAddress(origin, { payload, credentials: credentials.join(","), return_to: location.origin, state }),
    );
  });
}

const closedByUser = () => new ApprovalDeclinedError("the guardian's page was closed");
const unreached = () =>
  new GuardianPageError(
    "guardian_page_unreached",
    "the guardian's window was closed, or cut off from this page, before it showed anything: use the form redirect where that is the rule",
  );
