import { randomBytes } from "node:crypto";
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  type Instruction,
  pipe,
  type Signature,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  activateProposalInstruction,
  closeSettingsTransactionInstruction,
  closeTransactionInstruction,
  compileWrappedMessage,
  createProposalInstruction,
  createSettingsTransactionInstruction,
  createTransactionInstruction,
  executeSettingsTransactionInstruction,
  executeTransactionInstruction,
  type SettingsActionArgs,
  type VoteAction,
  voteInstruction,
} from "@trellis/program-client";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { airdrop } from "../../src/sandbox-controls/airdrop.js";
import type { TestNetwork } from "../support/test-network.js";

/** Some address without a key. */
export const payee = address("9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g");

/** What a chain is reached by here: the network itself, and endpoints to make accounts and give them money. */
export type Chain = Pick<TestNetwork, "network" | "call">;

export interface ChainAccountUnderTest {
  readonly settings: Address;
  readonly address: Address;
  readonly members: readonly SignerKey[];
}

const mayAll = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

export const newKey = (): SignerKey => new Uint8Array(randomBytes(32));

/** An account of the service whose members are keys that it does not hold, with a sol to spend. */
export async function openAccount(
  test: Chain,
  { members, threshold, timeLock = 0 }: { members: number; threshold: number; timeLock?: number },
): Promise<ChainAccountUnderTest> {
  const keys = Array.from({ length: members }, newKey);
  const created = await test.call<{ address: string; settings_address: string }>(createCustomAccount, {
    body: {
      policies: {
        signers: keys.map((key) => ({ address: addressOfKey(key), permissions: mayAll })),
        threshold,
        time_lock: timeLock,
      },
    },
  });
  await test.call(airdrop, { body: { address: created.address, currency: "sol", amount: "1000000000" } });
  return { settings: created.settings_address as Address, address: created.address as Address, members: keys };
}

/** Another client of the same chain: it sends what it likes, without a report to the service. */
export interface ChainClient {
  readonly payerAddress: Address;
  send(instructions: readonly Instruction[], signers?: readonly SignerKey[]): Promise<Signature>;
}

/** One that pays for itself. */
export async function openChainClient(test: Chain): Promise<ChainClient> {
  const payer = newKey();
  const payerAddress = addressOfKey(payer);
  await test.call(airdrop, { body: { address: payerAddress, currency: "sol", amount: "5000000000" } });
  return sendingAs(test, payerAddress, async (wire, signers) => signTransaction(wire, [payer, ...signers]));
}

/** One whose fees and rent the service's fee payer pays, as for what is prepared by the service. */
export function openServiceClient(test: Chain): ChainClient {
  const { feePayer } = test.network;
  return sendingAs(test, feePayer.address, async (wire, signers) => {
    const bytes = Uint8Array.from(
      Buffer.from(signers.length > 0 ? signTransaction(wire, [...signers]) : wire, "base64"),
    );
    const transaction = getTransactionDecoder().decode(bytes);
    const signature = await feePayer.sign(Uint8Array.from(transaction.messageBytes));
    const signatures = { ...transaction.signatures, [feePayer.address]: signature };
    return getBase64EncodedWireTransaction({ ...transaction, signatures });
  });
}

function sendingAs(
  test: Chain,
  payerAddress: Address,
  sign: (wire: Base64EncodedWireTransaction, signers: readonly SignerKey[]) => Promise<string>,
): ChainClient {
  let sent = 0;
  return {
    payerAddress,
    send: async (instructions, signers = []) => {
      const { rpc } = test.network;
      const { value: lifetime } = await rpc.getLatestBlockhash().send();
      // Two equal transactions within one block would be one.
      sent += 1;
      const mark = getTransferSolInstruction({
        source: createNoopSigner(payerAddress),
        destination: payerAddress,
        amount: sent,
      });
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (m) => setTransactionMessageFeePayer(payerAddress, m),
        (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
        (m) => appendTransactionMessageInstructions([...instructions, mark], m),
      );
      const unsigned = getBase64EncodedWireTransaction(compileTransaction(message));
      const signed = (await sign(unsigned, signers)) as typeof unsigned;
      const signature = await rpc.sendTransaction(signed, { encoding: "base64" }).send();
      const { value } = await rpc.getSignatureStatuses([signature]).send();
      const error = value[0]?.err;
      if (error !== null) throw new Error(`the chain refused it: ${JSON.stringify(error, stringify)}`);
      return signature;
    },
  };
}

const stringify = (_key: string, value: unknown) => (typeof value === "bigint" ? Number(value) : value);

/** A payment by the account, as it would be stored. */
export const paymentOf = (account: ChainAccountUnderTest, lamports: bigint) =>
  compileWrappedMessage(account.address, [
    getTransferSolInstruction({ source: createNoopSigner(account.address), destination: payee, amount: lamports }),
  ]);

/** The calls of one account's members on one transaction index. */
export function callsOn(account: ChainAccountUnderTest, client: ChainClient, transactionIndex: bigint) {
  const { settings, members } = account;
  const memberAt = (index: number): SignerKey => {
    const key = members[index];
    if (key === undefined) throw new Error(`no member ${index}`);
    return key;
  };
  const place = { settings, transactionIndex };
  const rentPayer = client.payerAddress;
  const addressAt = (index: number) => addressOfKey(memberAt(index));
  const openVote = (draft: boolean) => createProposalInstruction({ ...place, creator: addressAt(0), rentPayer, draft });
  const collectors = { proposalRentCollector: rentPayer, transactionRentCollector: rentPayer };
  return {
    createPayment: (lamports: bigint, { draft = false } = {}) =>
      client.send(
        [
          createTransactionInstruction({
            ...place,
            creator: addressAt(0),
            rentPayer,
            message: paymentOf(account, lamports),
          }),
          openVote(draft),
        ],
        [memberAt(0)],
      ),
    createPaymentAlone: (lamports: bigint) =>
      client.send(
        [
          createTransactionInstruction({
            ...place,
            creator: addressAt(0),
            rentPayer,
            message: paymentOf(account, lamports),
          }),
        ],
        [memberAt(0)],
      ),
    open: () => client.send([openVote(false)], [memberAt(0)]),
    createChange: (actions: readonly SettingsActionArgs[]) =>
      client.send(
        [
          createSettingsTransactionInstruction({ ...place, creator: addressAt(0), rentPayer, actions }),
          openVote(false),
        ],
        [memberAt(0)],
      ),
    activate: () => client.send([activateProposalInstruction({ ...place, signer: addressAt(0) })], [memberAt(0)]),
    vote: (action: VoteAction, by: number) =>
      client.send([voteInstruction({ ...place, action, signer: addressAt(by) })], [memberAt(by)]),
    executePayment: (lamports: bigint, by = 0) =>
      client.send(
        [executeTransactionInstruction({ ...place, signer: addressAt(by), message: paymentOf(account, lamports) })],
        [memberAt(by)],
      ),
    executeChange: (actions: readonly SettingsActionArgs[], by = 0) =>
      client.send(
        [executeSettingsTransactionInstruction({ ...place, signer: addressAt(by), rentPayer, actions })],
        [memberAt(by)],
      ),
    close: () => client.send([closeTransactionInstruction({ ...place, ...collectors })]),
    closeChange: () => client.send([closeSettingsTransactionInstruction({ ...place, ...collectors })]),
  };
}

/** A transaction that names addresses and does nothing to them but send a lamport more. */
export const mention = (client: ChainClient, addresses: readonly Address[], lamports = 1_000_000n) =>
  client.send(
    addresses.map((destination) =>
      getTransferSolInstruction({
        source: createNoopSigner(client.payerAddress),
        destination,
        amount: lamports,
      }),
    ),
  );
