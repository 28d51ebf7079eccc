import { usePasskeys, usePayment, useSignIn } from "@trellis/react";
import { describe, expect, it } from "vitest";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { codeFor, freshEmail, open, sharedBackend } from "./support.js";

const backend = sharedBackend();
const payee = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2";

describe("passkeys on a page", () => {
  it("are added, listed, renamed and removed", async () => {
    const screen = await openSignedIn();
    expect(await screen.does(({ passkeys }) => passkeys.add("Phone"))).toEqual({ status: "done", action: "add" });
    const [phone] = (await screen.until(({ passkeys }) => passkeys.data?.length === 1)).passkeys.data ?? [];
    expect(phone).toMatchObject({ name: "Phone", rp_id: "localhost" });
    await screen.does(({ passkeys }) => passkeys.rename(phone?.id ?? "", "Old phone"));
    await screen.until(({ passkeys }) => passkeys.data?.[0]?.name === "Old phone");
    await screen.does(({ passkeys }) => phone && passkeys.remove(phone));
    await screen.until(({ passkeys }) => passkeys.data?.length === 0);
    await screen.leave();
  });

  it("sign in without a code, and pay", async () => {
    const screen = await openSignedIn();
    await screen.does(({ passkeys }) => passkeys.add("Phone"));
    await screen.does(({ signIn }) => signIn.signOut());
    await screen.does(({ signIn }) => signIn.signInWithPasskey());
    const { state } = screen.shown().signIn;
    if (state.status !== "signed-in") throw new Error(JSON.stringify(state));
    await backend.trellis.client.sandbox.airdrop({ address: state.account, currency: "sol", amount: "1000000000" });
    const order = { currency: "sol", destination: payee, amount: 1_000_000n, byPasskey: true } as const;
    expect(await screen.does(({ payment }) => payment.pay(order))).toMatchObject({ status: "confirmed" });
    const used = await backend.trellis.client.passkeys.list(state.account);
    expect(used).toMatchObject([{ last_used_at: expect.any(String) }]);
    await screen.leave();
  });

  it("are asked for beside the code once they are required, and sign their own removal then", async () => {
    const screen = await openSignedIn();
    await screen.does(({ passkeys }) => passkeys.add("Phone"));
    expect(await screen.does(({ passkeys }) => passkeys.setRequired(true))).toMatchObject({ status: "done" });
    const { email } = screen;
    await screen.does(({ signIn }) => signIn.signOut());
    await screen.does(({ signIn }) => signIn.start(email));
    const code = await codeFor(backend, email);
    screen.decline(true);
    await screen.does(({ signIn }) => signIn.verify(code));
    expect(screen.shown().signIn.state).toMatchObject({ status: "code-needed", error: { code: "passkey_declined" } });
    screen.decline(false);
    await screen.does(({ signIn }) => signIn.verify(code));
    expect(screen.shown().signIn.state).toMatchObject({ status: "signed-in", email });
    const [phone] = (await screen.until(({ passkeys }) => passkeys.data?.length === 1)).passkeys.data ?? [];
    expect(await screen.does(({ passkeys }) => phone && passkeys.remove(phone))).toMatchObject({ status: "done" });
    await screen.leave();
  });

  it("say in the state that the user declined, or that no user is signed in", async () => {
    const screen = await openSignedIn();
    screen.decline(true);
    expect(await screen.does(({ passkeys }) => passkeys.add("Phone"))).toMatchObject({
      status: "refused",
      error: { code: "passkey_declined", help: expect.any(String) },
    });
    await screen.does(({ signIn }) => signIn.signOut());
    await screen.does(({ signIn }) => signIn.signInWithPasskey());
    expect(screen.shown().signIn.state).toMatchObject({ status: "error", error: { code: "passkey_declined" } });
    expect(await screen.does(({ passkeys }) => passkeys.add("Phone"))).toMatchObject({
      error: { code: "session_required" },
    });
    await screen.leave();
  });
});

/** A page with a device in it, whose user may decline. */
async function openSignedIn() {
  const device = browserWith(createSoftPasskey());
  let isDeclined = false;
  const unlessDeclined = async <Answer,>(doIt: () => Promise<Answer>): Promise<Answer> => {
    if (isDeclined) throw new DOMException("The user said no.", "NotAllowedError");
    return doIt();
  };
  const credentials = {
    create: (options?: CredentialCreationOptions) => unlessDeclined(() => device.create(options)),
    get: (options?: CredentialRequestOptions) => unlessDeclined(() => device.get(options)),
  };
  const screen = await open(backend, () => ({ signIn: useSignIn(), passkeys: usePasskeys(), payment: usePayment() }), {
    credentials,
  });
  const email = freshEmail();
  await screen.does(({ signIn }) => signIn.start(email));
  const code = await codeFor(backend, email);
  await screen.does(({ signIn }) => signIn.verify(code));
  const decline = (declines: boolean) => {
    isDeclined = declines;
  };
  return { ...screen, email, decline };
}
