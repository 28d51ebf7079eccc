import { useSignIn } from "@trellis/react";
import { describe, expect, it } from "vitest";
import { type Place, PlaceProvider } from "../../packages/console/src/app/place.js";
import { usePayeesCheck } from "../../packages/console/src/app/views/check-payees.js";
import type { ReadyPayee } from "../../packages/console/src/app/views/payee-list.js";
import { makeKey } from "../adversarial/support.js";
import { codeFor, freshEmail, open, sharedBackend } from "./support.js";

const backend = sharedBackend();

describe("a list of payees that was checked", () => {
  it("stays the one that is proposed, whatever the list is read as afterwards", async () => {
    let place: Place = { tenant: "one", environment: "sandbox", account: "", signers: [] };
    const useShown = () => ({ signIn: useSignIn(), check: usePayeesCheck(place.signers[0] ?? "") });
    const screen = await open(backend, useShown, {
      around: (children) => <PlaceProvider place={place}>{children}</PlaceProvider>,
    });
    const email = freshEmail();
    await screen.does(({ signIn }) => signIn.start(email));
    const code = await codeFor(backend, email);
    await screen.does(({ signIn }) => signIn.verify(code));
    const { state } = screen.shown().signIn;
    if (state.status !== "signed-in") throw new Error(`not signed in: ${state.status}`);
    const { client } = backend.trellis;
    await client.sandbox.airdrop({ address: state.account, currency: "sol", amount: "1000000000" });
    const { policies } = await client.accounts.get(state.account);
    place = { ...place, account: state.account, signers: policies.signers.map(({ address }) => address) };
    await screen.renders();
    const payees = [payeeOf(1), payeeOf(2)];
    const given = [...payees];
    await screen.does(({ check }) => check.check(given));
    expect(screen.shown().check.state).toEqual({ status: "fine", payees });
    await screen.renders();
    expect(screen.shown().check.state).toEqual({ status: "fine", payees });
    await screen.does(({ check }) => check.forget());
    expect(screen.shown().check.state).toEqual({ status: "none" });
    await screen.leave();
  });
});

function payeeOf(line: number): ReadyPayee {
  const destination = makeKey().address;
  return {
    line,
    given: { destination, amount: "0.01", currency: "sol" },
    memo: "",
    destination,
    currency: { symbol: "sol", mint: null, decimals: 9, held: 1_000_000_000n },
    units: 10_000_000n,
    faults: [],
    sameAs: [],
    looksLike: undefined,
  };
}
