import { type Address, isAddress } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import { addressText, amountText, sha256Text } from "@trellis/kernel/wire-texts.js";
import { closeTransactionBufferInstruction, deriveTransactionBufferAddress } from "@trellis/program-client";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import Type from "typebox";
import { memberName } from "../accounts/passkey-members.js";
import { type ActingAccount, getActingAccount } from "../transactions/acting-account.js";
import { chooseFeePayer, feeFields } from "../transactions/fee-config.js";
import { prepareInstructions } from "../transactions/prepare-synchronous.js";
import { preparedFields, toPreparedFields } from "../transactions/prepared-transaction.js";
import { readBuffer } from "./require-buffers.js";

/** So many fit one transaction, with room to spare. */
const closedTogether = 10;

const ClosedBuffer = Type.Object({
  address: addressText(),
  message_sha256: sha256Text({ description: "Of the message it is for." }),
  message_bytes: Type.Integer({ description: "How long that is." }),
  written_bytes: Type.Integer({ description: "How much of it is there." }),
  lamports: amountText({ description: "What the signer gets back." }),
});

/** Gap 110. */
export const closeTransactionBuffers = endpoint(
  {
    operation: "closeTransactionBuffers",
    summary: "Give up transaction buffers",
    description:
      "Prepares the transaction that closes what is left of proposals that were begun in several transactions and never completed. " +
      "The rent goes to the signer who began them. A proposal that is being made in one of them has to be prepared again.",
    tag: "Proposals",
    method: "POST",
    path: "/api/service/v1/accounts/{address}/transaction-buffers/close",
    scope: "proposals:write",
    environment: "optional",
    params: Type.Object({ address: addressText() }),
    body: Type.Object({
      signer: addressText({ description: "Whose buffers: a signer of the account, or one who was." }),
      buffers: Type.Optional(
        Type.Array(addressText(), { minItems: 1, maxItems: closedTogether, description: "Default: the first ten." }),
      ),
      ...feeFields,
    }),
    refusesNearMisses: true,
    preparesOnly: true,
    response: {
      status: 200,
      envelope: true,
      schema: Type.Object({
        ...preparedFields,
        buffers: Type.Array(ClosedBuffer),
        more: Type.Boolean({ description: "Whether the signer has others: ask again." }),
      }),
    },
    errors: [
      "account_not_found",
      "invalid_address",
      "no_changes",
      "passkey_session_required",
      "transaction_failed",
      "unsupported_fee_config",
      "chain_unavailable",
    ],
  },
  async (needs: { readonly db: Db; readonly random: Random }, { params, body, network, caller }) => {
    const account = await getActingAccount(needs.db, network, caller.tenantId, params.address);
    const signer = requireAddress(memberName(account, body.signer), "signer");
    const named = body.buffers?.map((one, i) => requireAddress(one, `buffers.${i}`));
    const found = await findBuffers(network, account, signer);
    const chosen = found.filter(({ address }) => named === undefined || named.includes(address));
    const closing = chosen.slice(0, closedTogether);
    const absent = named?.find((address) => !found.some((one) => one.address === address));
    if (closing.length === 0 || absent !== undefined) {
      throw new TrellisError("no_changes", {
        message: absent === undefined ? `${signer} has no buffer here.` : `${absent} is no buffer of ${signer} here.`,
      });
    }
    const prepared = await prepareInstructions(needs, network, {
      kind: "close_buffers",
      account,
      signers: [signer],
      feePayer: chooseFeePayer(network, body),
      instructions: closing.map(({ bufferIndex }) =>
        closeTransactionBufferInstruction({ settings: account.settingsAddress, creator: signer, bufferIndex }),
      ),
    });
    return {
      data: {
        ...toPreparedFields(prepared),
        buffers: closing.map(({ address, buffer, lamports }) => ({
          address,
          message_sha256: Buffer.from(buffer.finalHash).toString("hex"),
          message_bytes: buffer.finalSize,
          written_bytes: buffer.content.length,
          lamports: lamports.toString(),
        })),
        more: chosen.length > closing.length,
      },
    };
  },
);

/** Numbers that a creator's buffers can have. */
const numbers = 256;
/** Accounts that a node reads at once. */
const readTogether = 100;

/** All of one creator's buffers for an account, by their addresses: no index and no list of the node's is needed. */
async function findBuffers(network: Network, { settingsAddress, slot }: ActingAccount, creator: Address) {
  const places = Array.from({ length: numbers }, (_, bufferIndex) => ({
    bufferIndex,
    address: deriveTransactionBufferAddress(settingsAddress, creator, bufferIndex),
  }));
  const parts = Array.from({ length: Math.ceil(numbers / readTogether) }, (_, i) =>
    places.slice(i * readTogether, (i + 1) * readTogether),
  );
  const read = await Promise.all(
    parts.map((part) =>
      readAccounts(
        network,
        part.map(({ address }) => address),
        { leastSlot: slot },
      ),
    ),
  );
  const accounts = read.flat();
  return places.flatMap((place, i) => {
    const buffer = readBuffer(accounts[i]);
    return buffer ? [{ ...place, buffer, lamports: accounts[i]?.lamports ?? 0n }] : [];
  });
}

function requireAddress(text: string, field: string): Address {
  if (!isAddress(text)) throw new TrellisError("invalid_address", { field });
  return text;
}
