/** People who sign in to a running service, and what their sessions can do: with the client library, and from a page. */
import { createTrellisClient, type SignedInAccount, sessionTokenOf, type TrellisClientOptions } from "@trellis/sdk";
import { beforeAll, expect } from "vitest";
import { useTestService } from "./scene.js";
import type { TestService } from "./test-service.js";

const page = "https://app.example";
const payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";

/** Opened and closed as of `useTestService`. */
export function useSignedInPeople() {
  const trellis = useTestService({ TRELLIS_PUBLISHABLE_ADDRESS_RATE_LIMIT: "0" });
  let publishable: string;
  beforeAll(async () => {
    const made = await trellis.client.apiKeys.create({
      name: "App",
      type: "publishable",
      scopes: ["auth:write", "accounts:read", "payments:write", "transactions:write"],
      environments: ["sandbox"],
      allowed_origins: [page],
    });
    publishable = made.key;
  });
  const clientOf = (more: Partial<TrellisClientOptions> = {}) =>
    createTrellisClient({ baseUrl: trellis.url, apiKey: trellis.apiKey, environment: "sandbox", ...more });
  /** A page on which somebody is signed in. */
  const pageOf = ({ session }: SignedInAccount) =>
    clientOf({
      apiKey: publishable,
      sessionToken: () => sessionTokenOf(session),
      fetch: (url, init) => fetch(url, { ...init, headers: { ...(init?.headers as object), origin: page } }),
    });
  let people = 0;
  const newEmail = () => {
    people += 1;
    return `session-${people}@example.org`;
  };
  const signIn = async (email = newEmail()): Promise<SignedInAccount> => {
    const { verify } = await trellis.client.auth.signIn(email);
    const [mail] = await trellis.client.sandbox.outbox(email);
    return verify(mail?.otp_code ?? "");
  };
  const pay = (signedIn: SignedInAccount) => payFrom(trellis, signedIn);
  const refresh = ({ session, keyPair }: SignedInAccount) =>
    trellis.client.auth.refresh({
      encryption_public_key: keyPair.publicKeySpkiBase64,
      kms_payload: session.authentication,
    });
  /** Nothing is left of a session: it signs nothing, proves nothing and becomes no other one. */
  const expectOver = async (signedIn: SignedInAccount): Promise<void> => {
    expect(await refusalOf(pay(signedIn))).toMatch(/session_expired|invalid_signature/);
    expect(await refusalOf(pageOf(signedIn).accounts.get(signedIn.account))).toBe("invalid_session");
    expect(await refusalOf(refresh(signedIn))).toMatch(/invalid_refresh_token|session_expired/);
  };
  const revokedReasons = (signedIn: SignedInAccount) => revokedReasonsOf(trellis, signedIn);
  return { trellis, clientOf, pageOf, newEmail, signIn, pay, refresh, expectOver, revokedReasons };
}

/** The code of the error that a call of the library ends in. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (thrown: { readonly code?: string }) => thrown,
  );
  return error?.code ?? "no refusal";
}

async function payFrom(trellis: TestService, { account, session }: SignedInAccount): Promise<string> {
  await trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "100000000" });
  const transfer = { account, session, currency: "sol", destination: payee, amount: 2_000_000n };
  return (await trellis.client.transfers.send(transfer)).signature;
}

/** Why sessions of a user have ended, by the events, oldest first. */
async function revokedReasonsOf(trellis: TestService, { userId }: SignedInAccount): Promise<unknown[]> {
  const reasons: unknown[] = [];
  for await (const { data } of trellis.client.events.list({ type: ["session.revoked"] })) {
    const { object } = data;
    if (object.grid_user_id === userId) reasons.push(object.reason);
  }
  return reasons;
}
