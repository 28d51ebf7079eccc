import type { Answer } from "@trellis/kernel/endpoint.js";
import Type, { type Static } from "typebox";
import { sessionCookie } from "./session-cookie.js";
import { csrfTokenOf, type OpenedSession } from "./session-store.js";
import { Member, toWireMember } from "./wire-member.js";

/** What a page hears of the session that it has just been given. */
export const SignedIn = Type.Object(
  {
    member: Member,
    csrf_token: Type.String({ description: "To send as `x-csrf-token` with every change." }),
  },
  { $id: "ConsoleSignedIn" },
);

/** The answer that gives a browser its session: the token is in the cookie alone. */
export function answerSignedIn(publicUrl: string, { member, token }: OpenedSession): Answer<Static<typeof SignedIn>> {
  return {
    data: { member: toWireMember(member), csrf_token: csrfTokenOf(token) },
    headers: { "set-cookie": sessionCookie(publicUrl, token) },
  };
}
