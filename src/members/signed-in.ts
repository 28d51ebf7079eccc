import type { Keyring } from "@trellis/kernel/crypto/envelope.js";
import type { Answer } from "@trellis/kernel/endpoint.js";
import Type, { type Static } from "typebox";
import { browserTokenOf } from "./secret-store.js";
import { sessionCookie } from "./session-cookie.js";
import { csrfTokenOf, type OpenedSession } from "./session-store.js";
import { Member, toWireMember } from "./wire-member.js";

/** What a page hears of the session that it has just been given. */
export const SignedIn = Type.Object(
  {
    member: Member,
    csrf_token: Type.String({ description: "To send as `x-csrf-token` with every change." }),
    browser_token: Type.String({
      description:
        "For the page to keep, and to send as `browser` when it asks for a code another time. It signs nobody in: it lets a browser that " +
        "the member knows have a code while strangers use theirs up.",
    }),
  },
  { $id: "ConsoleSignedIn" },
);

/** The answer that gives a browser its session: the token is in the cookie alone. */
export function answerSignedIn(
  { keyring, publicUrl }: { readonly keyring: Keyring; readonly publicUrl: () => string },
  { member, token }: OpenedSession,
): Answer<Static<typeof SignedIn>> {
  return {
    data: {
      member: toWireMember(member),
      csrf_token: csrfTokenOf(token),
      browser_token: browserTokenOf(keyring, member.id),
    },
    headers: { "set-cookie": sessionCookie(publicUrl(), token) },
  };
}
