import { address, isAddress, lamports as toLamports } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { parseBaseUnits } from "@trellis/kernel/money.js";
import { coins } from "@trellis/kernel/ports/coins.js";
import { addressText, amountText, signatureText } from "@trellis/kernel/wire-texts.js";
import { getCurrency } from "@trellis/solana/currency.js";
import Type from "typebox";

/** Most that one airdrop hands out, in base units: plenty to test with, and far from any overflow. */
const largestAirdrop = 1_000_000_000_000_000n;

/** Play money from the sandbox's faucet (gap 49). */
export const airdrop = endpoint(
  {
    operation: "sandboxAirdrop",
    summary: "Airdrop play money",
    description:
      "Sends SOL from the sandbox's faucet, or mints one of its currencies, to any address. Answers when it is confirmed.",
    tag: "Sandbox",
    method: "POST",
    path: "/api/service/v1/sandbox/airdrop",
    scope: "sandbox:use",
    environment: "sandbox",
    body: Type.Object({
      address: addressText({ description: "Who receives it." }),
      currency: Type.Optional(
        Type.String({
          description: `${["`sol` (default)", ...coins.map((coin) => `\`${coin}\``)].join(", ")}, or a mint.`,
          examples: ["usdc"],
        }),
      ),
      amount: amountText({ examples: ["1000000000"] }),
    }),
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        address: addressText(),
        currency: Type.String(),
        amount: amountText(),
        transaction_signature: signatureText(),
      }),
    },
    errors: ["invalid_address", "unsupported_currency", "invalid_amount", "transaction_failed"],
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
    const gift =
      currency.mint === null ? sandbox.airdrop(to, toLamports(amount)) : sandbox.mintTo(to, currency.mint, amount);
    const signature = await gift.catch((error: unknown) => {
      throw isRefusal(error) ? refused(error) : error;
    });
    return {
      data: { address: to, currency: currency.symbol, amount: amount.toString(), transaction_signature: signature },
    };
  },
);

/** JSON-RPC's number for a transaction that the chain would not execute. */
const preflightFailure = -32002;

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === preflightFailure;
}

/** What asks for too little to open an account, or pays where nothing can be paid: the caller's to mend. */
function refused(error: Error): TrellisError {
  return new TrellisError("transaction_failed", {
    message: `The chain refuses this airdrop. ${error.message}.`,
    suggestion: "An address without an account needs at least the rent minimum of an empty one.",
    cause: error,
  });
}
