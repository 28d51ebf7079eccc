// What a stranger writes with the packed client library and hooks; compiled by built-library.test.ts.

import { TrellisProvider, useSignIn } from "@trellis/react";
import { createTrellisClient, parseUnits, TrellisApiError, type TrellisErrorCode } from "@trellis/sdk";

const trellis = createTrellisClient({ baseUrl: "http://127.0.0.1", apiKey: "k", environment: "sandbox" });
export async function pay(): Promise<string> {
  const { verify } = await trellis.auth.signIn("ada@example.org");
  const { account, session } = await verify("123456");
  try {
    const sent = await trellis.transfers.send({
      account,
      session,
      currency: "usdc",
      destination: account,
      amount: parseUnits("1.5", 6),
    });
    return sent.signature;
  } catch (error) {
    const code: TrellisErrorCode = "insufficient_balance";
    if (error instanceof TrellisApiError && error.code === code) return "poor";
    // @ts-expect-error There is no such code.
    const none: TrellisErrorCode = "insufficient_balanse";
    return none;
  }
}
export function App() {
  const { state } = useSignIn();
  return (
    <TrellisProvider baseUrl="x" apiKey="y" environment="sandbox">
      <p>{state.status}</p>
    </TrellisProvider>
  );
}
