import { address, isAddress, lamports as toLamports } from "@solana/kit";
import Type from "typebox";
import { endpoint } from "../endpoint.js";
import { getCurrency } from "../environment.js";
import { assertOurs, TrellisError } from "../errors.js";
import { parseBaseUnits } from "../money.js";

/** Most that one airdrop hands out, in base units: plenty to test with, and far from any overflow. */
const largestAirdrop = 1_000_000_000_000_000n;

/** Play money from the sandbox's faucet (gap 49). */
export const airdrop = endpoint(
  {
    operation: "sandboxAirdrop",
    summary: "Airdrop play money",
    description:
      "Sends SOL from the sandbox's faucet, or mints one of its currencies, to any address. Answers when it landed.",
    tag: "Sandbox",
    method: "POST",
    path: "/api/service/v1/sandbox/airdrop",
    scope: "sandbox:use",
    environment: "sandbox",
    body: Type.Object({
      address: Type.String({ description: "Who receives it." }),
      currency: Type.Optional(
        Type.String({
          description: "`sol` (default), `usdc`, `usdt`, `pyusd`, `eurc`, or a mint.",
          examples: ["usdc"],
        }),
      ),
      amount: Type.String({ description: "Base units, as a decimal string.", examples: ["1000000000"] }),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        address: Type.String(),
        currency: Type.String(),
        amount: Type.String(),
        transaction_signature: Type.String(),
      }),
    },
    errors: ["invalid_address", "unsupported_currency", "invalid_amount"],
  },
  async (_needs: unknown, { body, network }) => {
    const { sandbox } = network;
    assertOurs(sandbox, "the sandbox rule lets only the sandbox in");
    if (!isAddress(body.address)) throw new TrellisError("invalid_address", { field: "address" });
    const to = address(body.address);
    const currency = getCurrency(network, body.currency ?? "sol");
    const amount = parseBaseUnits(body.amount, "amount");
    if (amount > largestAirdrop) {
      throw new TrellisError("invalid_amount", {
        field: "amount",
        message: `One airdrop hands out at most ${largestAirdrop} base units.`,
      });
    }
    const signature =
      currency.mint === null
        ? await sandbox.airdrop(to, toLamports(amount))
        : await sandbox.mintTo(to, currency.mint, amount);
    return {
      data: { address: to, currency: currency.symbol, amount: amount.toString(), transaction_signature: signature },
    };
  },
);
