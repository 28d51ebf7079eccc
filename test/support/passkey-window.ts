/** A browser's windows, in which the page of passkey signers is played: for tests of what opens it. */
import { vi } from "vitest";
import type { SoftPasskey } from "./authenticator.js";
import { answerOf } from "./passkey-signers.js";

interface Played {
  /** Where the service is. */
  readonly url: string;
  /** Of the page, as the service says it. */
  readonly origin: string;
  readonly passkey: SoftPasskey;
  /** Until then the passkey's owner does nothing. */
  readonly until?: Promise<void>;
  /** The owner closes the window. */
  readonly isClosed?: boolean;
}

/** Gives the process `open` and messages, until `vi.unstubAllGlobals`. Returns the windows that were opened. */
export function playPasskeyPage({ url, origin, passkey, until, isClosed = false }: Played) {
  const opened: { closed: boolean; address?: string }[] = [];
  const listeners = new Set<(event: object) => void>();
  vi.stubGlobal("addEventListener", (_type: string, hear: (event: object) => void) => listeners.add(hear));
  vi.stubGlobal("removeEventListener", (_type: string, hear: (event: object) => void) => listeners.delete(hear));
  vi.stubGlobal("open", () => {
    const window: (typeof opened)[number] & { close(): void; location: { replace(address: string): void } } = {
      closed: isClosed,
      close: () => {
        window.closed = true;
      },
      location: {
        replace: (address: string) => {
          window.address = address;
          if (!isClosed) void answer(window, address);
        },
      },
    };
    opened.push(window);
    return window;
  });
  const answer = async (source: object, address: string) => {
    await until;
    const challenge = Buffer.from(new URL(address).searchParams.get("challenge") ?? "", "base64");
    const { hostname: rpId } = new URL(origin);
    const response = await fetch(`${url}/api/service/v1/passkeys/ceremony`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ authenticatorResponse: answerOf(passkey, { challenge }, { rpId, origin }) }),
    });
    const { data } = (await response.json()) as { readonly data: object };
    for (const hear of listeners) hear({ origin, source, data: { type: "trellis.passkey", ...data } });
  };
  return opened;
}
