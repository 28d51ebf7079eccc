import { createHash } from "node:crypto";
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  type Instruction,
  pipe,
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
  decodeProposal,
  decodeSettings,
  deriveProposalAddress,
  executeSettingsTransactionInstruction,
  executeSettingsTransactionSyncInstruction,
  executeTransactionInstruction,
  proposalSize,
  type SettingsActionArgs,
  voteInstruction,
} from "@trellis/program-client";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import type { TestNetwork } from "../support/test-network.js";
import type { ModelAccount, ModelAction, ModelContent, ModelProposal, VoteAction } from "./property-model.js";

/** Where payments go: an address that exists already, so that the amount alone decides whether they succeed. */
export const payee = address("9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g");

const permissionNames = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

/** Permission names of a mask. */
export const permissionsOf = (mask: number) => permissionNames.filter((_, bit) => (mask & (1 << bit)) !== 0);

/** People by name, each with an Ed25519 key of their own. */
export interface People {
  readonly names: readonly string[];
  keyOf(name: string): SignerKey;
  addressOf(name: string): Address;
  nameOf(address: string): string;
}

export function createPeople(names: readonly string[]): People {
  const keys = new Map(names.map((name) => [name, new Uint8Array(createHash("sha256").update(name).digest())]));
  const keyOf = (name: string): SignerKey => {
    const key = keys.get(name);
    if (key === undefined) throw new Error(`nobody is called ${name}`);
    return key;
  };
  const byAddress = new Map(names.map((name): [string, string] => [addressOfKey(keyOf(name)), name]));
  return {
    names,
    keyOf,
    addressOf: (name) => addressOfKey(keyOf(name)),
    nameOf: (text) => byAddress.get(text) ?? text,
  };
}

/** An account of the service and how others reach it on the chain. */
export interface Place {
  readonly address: Address;
  readonly settings: Address;
}

/** Opens it with the model's policy and money. */
export async function openPlace(test: TestNetwork, people: People, account: ModelAccount): Promise<Place> {
  const created = await test.call<{ address: string; settings_address: string }>(createCustomAccount, {
    body: {
      policies: {
        signers: [...account.members].map(([name, mask]) => ({
          address: people.addressOf(name),
          permissions: permissionsOf(mask),
        })),
        threshold: account.threshold,
        time_lock: account.timeLock,
      },
    },
  });
  const amount = account.lamports.toString();
  await test.airdrop(created.address, "sol", amount);
  return { address: created.address as Address, settings: created.settings_address as Address };
}

/** The chain's own time, Unix seconds. */
export async function chainTime(test: TestNetwork): Promise<number> {
  const { rpc } = test.network;
  return Number(await rpc.getBlockTime(await rpc.getSlot({ commitment: "confirmed" }).send()).send());
}

/** What the account and its proposals are on the chain, in the model's words. */
export async function readChain(test: TestNetwork, people: People, place: Place, account: ModelAccount) {
  const { rpc } = test.network;
  const indexes = [...account.proposals.keys()];
  const addresses = indexes.map((index) => deriveProposalAddress(place.settings, BigInt(index)));
  const { value } = await rpc.getMultipleAccounts([place.settings, ...addresses], { encoding: "base64" }).send();
  const bytesOf = (found: (typeof value)[number]) => found && getBase64Encoder().encode(found.data[0]);
  const [settingsData, ...proposalData] = value.map(bytesOf);
  if (!settingsData) throw new Error("the settings are gone");
  const settings = decodeSettings(settingsData);
  const named = (list: readonly string[]) => list.map(people.nameOf).sort();
  return {
    settings: {
      threshold: settings.threshold,
      timeLock: settings.timeLockSeconds,
      index: Number(settings.transactionIndex),
      staleIndex: Number(settings.staleTransactionIndex),
      members: Object.fromEntries(settings.signers.map((signer) => [people.nameOf(signer.address), signer.mask])),
    },
    proposals: indexes.map((index, at) => {
      const data = proposalData[at];
      if (!data) return { index, closed: true };
      const { status, statusTimestamp, approved, rejected, cancelled } = decodeProposal(data);
      return {
        index,
        status,
        since: Number(statusTimestamp),
        room: (data.length - proposalSize(0)) / (proposalSize(1) - proposalSize(0)),
        approved: named(approved),
        rejected: named(rejected),
        cancelled: named(cancelled),
      };
    }),
  };
}

/** Another client of the same chain, which the service never hears of. */
export interface OtherClient {
  create(place: Place, index: number, name: string, content: ModelContent, isDraft: boolean): Promise<unknown>;
  activate(place: Place, proposal: ModelProposal, name: string): Promise<unknown>;
  vote(place: Place, proposal: ModelProposal, name: string, action: VoteAction): Promise<unknown>;
  execute(place: Place, proposal: ModelProposal, name: string): Promise<unknown>;
  closeStored(place: Place, proposal: ModelProposal, collectors: Collectors): Promise<unknown>;
  changeAtOnce(place: Place, names: readonly string[], actions: readonly ModelAction[]): Promise<unknown>;
}

/** Who paid for a proposal's two accounts. */
export type Collectors = { readonly rentCollector: Address };

/** Every call resolves to undefined where it succeeded, and to the chain's error otherwise. */
export async function openOtherClient(test: TestNetwork, people: People, payer: string): Promise<OtherClient> {
  const payerAddress = people.addressOf(payer);
  const fund = (to: Address, amount: string) => test.airdrop(to, "sol", amount);
  await fund(payerAddress, "100000000000");
  await fund(payee, "1000000000");
  // The canceller pays for a proposal that grows.
  for (const name of people.names) await fund(people.addressOf(name), "1000000000");

  const send = async (instructions: readonly Instruction[], signers: readonly string[]): Promise<unknown> => {
    const { rpc } = test.network;
    const { value: lifetime } = await rpc.getLatestBlockhash().send();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayer(payerAddress, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
      (m) => appendTransactionMessageInstructions(instructions, m),
    );
    const unsigned = getBase64EncodedWireTransaction(compileTransaction(message));
    const keys = [...new Set([payer, ...signers])].map(people.keyOf);
    const signed = signTransaction(unsigned, keys) as Base64EncodedWireTransaction;
    const signature = await rpc.sendTransaction(signed, { encoding: "base64", skipPreflight: true }).send();
    const { value } = await rpc.getSignatureStatuses([signature]).send();
    const [status] = value;
    if (!status) throw new Error("the chain does not know what it was sent");
    return status.err ?? undefined;
  };

  const at = (place: Place, index: number) => ({ settings: place.settings, transactionIndex: BigInt(index) });
  return {
    create: (place, index, name, content, isDraft) => {
      const common = { ...at(place, index), creator: people.addressOf(name), rentPayer: payerAddress };
      const written =
        content.kind === "transaction"
          ? createTransactionInstruction({ ...common, message: messageOf(place, content.lamports) })
          : createSettingsTransactionInstruction({ ...common, actions: storedActions(people, content.actions) });
      return send([written, createProposalInstruction({ ...common, draft: isDraft })], [name]);
    },
    activate: (place, { index }, name) =>
      send([activateProposalInstruction({ ...at(place, index), signer: people.addressOf(name) })], [name]),
    vote: (place, { index }, name, action) =>
      send([voteInstruction({ ...at(place, index), action, signer: people.addressOf(name) })], [name]),
    execute: (place, { index, content }, name) => {
      const common = { ...at(place, index), signer: people.addressOf(name) };
      return send(
        [
          content.kind === "transaction"
            ? executeTransactionInstruction({ ...common, message: messageOf(place, content.lamports) })
            : executeSettingsTransactionInstruction({
                ...common,
                rentPayer: payerAddress,
                actions: storedActions(people, content.actions),
              }),
        ],
        [name],
      );
    },
    closeStored: (place, { index, content }, { rentCollector }) => {
      const build = content.kind === "transaction" ? closeTransactionInstruction : closeSettingsTransactionInstruction;
      const collectors = { proposalRentCollector: rentCollector, transactionRentCollector: rentCollector };
      return send([build({ ...at(place, index), ...collectors })], []);
    },
    changeAtOnce: (place, names, actions) =>
      send(
        [
          executeSettingsTransactionSyncInstruction({
            settings: place.settings,
            members: names.map(people.addressOf),
            rentPayer: payerAddress,
            actions: storedActions(people, actions),
          }),
        ],
        names,
      ),
  };
}

function messageOf(place: Place, lamports: bigint) {
  const source = createNoopSigner(place.address);
  return compileWrappedMessage(place.address, [
    getTransferSolInstruction({ source, destination: payee, amount: lamports }),
  ]);
}

const storedActions = (people: People, actions: readonly ModelAction[]): SettingsActionArgs[] =>
  actions.map((action) => storedAction(people, action));

function storedAction(people: People, action: ModelAction): SettingsActionArgs {
  switch (action.type) {
    case "AddSigner":
      return {
        __kind: "AddSigner",
        newSigner: { key: people.addressOf(action.signer), permissions: action.mask },
      };
    case "RemoveSigner":
      return { __kind: "RemoveSigner", oldSigner: people.addressOf(action.signer) };
    case "ChangeThreshold":
      return { __kind: "ChangeThreshold", newThreshold: action.threshold };
    case "SetTimeLock":
      return { __kind: "SetTimeLock", newTimeLock: action.seconds };
  }
}

/** An action as the wire has it (gap 36). */
export function wireAction(people: People, action: ModelAction): object {
  switch (action.type) {
    case "AddSigner":
      return {
        type: "AddSigner",
        newSigner: { address: people.addressOf(action.signer), permissions: permissionsOf(action.mask) },
      };
    case "RemoveSigner":
      return { type: "RemoveSigner", oldSigner: people.addressOf(action.signer) };
    case "ChangeThreshold":
      return { type: "ChangeThreshold", newThreshold: action.threshold };
    case "SetTimeLock":
      return { type: "SetTimeLock", newTimeLock: action.seconds };
  }
}

/** Signs prepared transactions with people's own keys and submits them. */
export async function submit(
  test: TestNetwork,
  people: People,
  place: Place,
  transactions: readonly string[],
  names: readonly string[],
): Promise<void> {
  for (const transaction of transactions) {
    const signed = signTransaction(transaction, names.map(people.keyOf));
    const params = { address: place.address };
    await test.call(submitTransactions, { params, body: { transaction: signed, kms_payloads: [] } });
  }
}
