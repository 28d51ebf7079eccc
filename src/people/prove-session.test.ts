import type { Network } from "@trellis/kernel/ports/network.js";
import { describe, expect, it } from "vitest";
import { useTestNetwork } from "../../test/support/scene.js";
import {
  errorOf,
  type HeldAccount,
  type ProviderSession,
  sessionOf,
  type Verified,
} from "../../test/support/test-network.js";
import { refreshSession } from "../sign-in/refresh-session.js";
import { proveSession } from "./prove-session.js";

/** What a page has to show is good for as long, and for as much, as signatures of the same session are (gap 123). */
const test = useTestNetwork();

describe("a session's token", () => {
  it("proves its user, for the accounts that its wallet signs for and for no other", async () => {
    const [ada, eve] = [await signIn(), await signIn()];
    const { token } = ada.session;
    const expected = { userId: ada.verified.grid_user_id, expiresAt: ada.session.session.expires_at };
    expect(await prove({ token })).toMatchObject(expected);
    expect(await prove({ token, account: ada.address })).toMatchObject(expected);
    for (const account of [eve.address, "x", "", "%00", `${ada.address}x`]) {
      expect(await refusal({ token, account })).toBe("account_not_found");
    }
  });

  it("is good in its own tenant and environment, and no other token of the session is", async () => {
    const { session } = await signIn();
    const { token } = session;
    const stranger = await test.addTenant("stranger-to-the-page");
    expect(await refusal({ token, tenantId: stranger.tenantId })).toBe("invalid_session");
    expect(await refusal({ token, network: { ...test.network, name: "devnet" } })).toBe("invalid_session");
    for (const other of [session.refresh_token, session.kms_a_access_token, `${token} `, `${token}, ${token}`]) {
      expect(await refusal({ token: other })).toBe("invalid_session");
    }
    for (const none of [undefined, ""]) expect(await refusal({ token: none })).toBe("session_required");
  });

  it("ends at the very moment at which the session does, by the environment's clock", async () => {
    const { session } = await signIn();
    const at = (instant: number): Network => ({ ...test.network, clock: { now: () => instant } });
    const { expires_at } = session.session;
    await prove({ token: session.token, network: at(expires_at - 1) });
    expect(await refusal({ token: session.token, network: at(expires_at) })).toBe("invalid_session");
  });

  it("outlives one refresh, as its signatures do, and not the next; nor its chain's end", async () => {
    const held = await signIn();
    const second = await refresh(held.session, held);
    await prove({ token: held.session.token });
    const third = await refresh(second, held);
    expect(await refusal({ token: held.session.token })).toBe("invalid_session");
    await prove({ token: second.token });
    // A token that was used up long ago ends the chain: nobody of it is believed any more.
    await errorOf(refresh(held.session, held));
    for (const { token } of [second, third]) expect(await refusal({ token })).toBe("invalid_session");
  });
});

interface View {
  readonly token: string | undefined;
  readonly account?: string;
  readonly tenantId?: string;
  readonly network?: Network;
}

let people = 0;
async function signIn(): Promise<HeldAccount & { readonly session: ProviderSession }> {
  people += 1;
  const held = await test.openHolder(`page-${people}@example.org`);
  return { ...held, session: sessionOf(held.verified) };
}

async function refresh(session: ProviderSession, { clientKey }: HeldAccount): Promise<ProviderSession> {
  const { kms_payload } = await test.call<{ kms_payload: Verified["authentication"][number] }>(refreshSession, {
    body: {
      encryption_public_key: clientKey.spki,
      kms_payload: { provider: "kms_a", session: { KmsA: session } },
    },
  });
  return sessionOf({ authentication: [kms_payload] });
}

const prove = ({ token, account, tenantId = test.caller.tenantId, network = test.network }: View) =>
  proveSession(test.needs, network, { tenantId, token, account, page: undefined });

const refusal = async (view: View) => (await errorOf(prove(view))).code;
