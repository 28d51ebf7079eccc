import { createHash } from "node:crypto";
import type { Address, Instruction } from "@solana/kit";
import { assertOurs, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { Random } from "@trellis/kernel/ports/random.js";
import {
  closeTransactionBufferInstruction,
  createProposalInstruction,
  createTransactionBufferInstruction,
  createTransactionFromBufferInstruction,
  deriveProposalAddress,
  deriveTransactionBufferAddress,
  encodeWrappedMessage,
  extendTransactionBufferInstruction,
  maxBufferedMessageBytes,
  proposalSize,
  transactionBufferSize,
  transactionSize,
  voteInstruction,
} from "@trellis/program-client";
import type { ProposalContent } from "@trellis/program-client/proposal-content.js";
import { askChain } from "@trellis/solana/ask-chain.js";
import { composeTransaction, computeUnitsMax, noBlockhash } from "@trellis/solana/compose.js";
import { largestHeapFrameBytes } from "@trellis/solana/compute-needs.js";
import { readAccounts } from "@trellis/solana/read-accounts.js";
import { assertWithinTransactionLimit } from "../sponsorship/sponsorship.js";
import { chooseRentPayer } from "../transactions/limit-rent.js";
import { type FollowingRequest, prepareSequence } from "../transactions/prepare-sequence.js";
import { type NewContent, requireExecutable } from "./executable-content.js";
import type { NewProposal } from "./open-proposal.js";
import type { OpenedBatch } from "./prepare-batch.js";
import { requireRoomForProposal } from "./proposal-room.js";
import { readBuffer } from "./require-buffers.js";

type NewMessage = Extract<NewContent, { kind: "transaction" }>;

/** Prepared transactions, to be submitted in this order, and the buffer that they go through. */
export interface OpenedFromBuffer extends OpenedBatch {
  readonly buffer: {
    readonly address: Address;
    /** What is put together in it. */
    readonly message: Uint8Array;
    readonly digest: string;
    /** How much of it is there already. */
    readonly writtenBytes: number;
    /** What is paid for it now, by whom; the creator gets it. Null: it is there. */
    readonly rent: { readonly lamports: bigint; readonly payer: Address } | null;
  };
}

/**
 * Prepares the transactions that put a message together in a buffer of the creator's, store it from there, open the vote
 * and cast the first approvals (gap 110). What is in the buffer already is not sent again. The buffer's rent goes to the
 * creator when it is used or closed, so the service does not pay it.
 *
 * Throws `transaction_too_large` for what no buffer holds or could never be executed, `rent_not_sponsored`,
 * `sponsorship_limit_exceeded`, and what prepareProposal throws.
 */
export async function prepareBuffered(
  needs: { readonly db: Db; readonly random: Random },
  network: Network,
  { account, creator, approvers, feePayer }: Omit<NewProposal, "content">,
  content: NewMessage,
): Promise<OpenedFromBuffer> {
  const settings = account.settingsAddress;
  const transactionIndex = account.settings.transactionIndex + 1n;
  const payer = feePayer ?? network.feePayer.address;
  if (feePayer === undefined) await requireRoomForProposal(needs.db, network, settings);
  requireExecutable(account, content, payer);
  const message = Uint8Array.from(encodeWrappedMessage(content.message));
  if (message.length > maxBufferedMessageBytes) throw neverBuffered(message.length);
  // The rent of a buffer goes to its creator, who alone can propose from it, and what a passkey's account got could never leave it.
  if (account.passkeys.has(creator)) throw neverBufferedByPasskey();
  const [rentLamports, bufferRent] = await Promise.all([
    rentOf(network, [transactionSize(content.message), proposalSize(account.settings.signers.length)]),
    rentOf(network, [transactionBufferSize(message.length)]),
  ]);
  if (feePayer === undefined) assertWithinTransactionLimit(network, rentLamports);

  const hash = createHash("sha256").update(message).digest();
  const digest = hash.toString("hex");
  const found = await findPlace(network, account.slot, { settings, creator }, hash, message);
  const place = { settings, creator, bufferIndex: found.number };
  const rent =
    found.writtenBytes === null
      ? {
          lamports: bufferRent,
          payer: await chooseRentPayer(network, {
            sizes: [transactionBufferSize(message.length)],
            signing: [...new Set([creator, ...(feePayer === undefined ? [] : [feePayer])])],
            sponsor: undefined,
            what: "The transaction does not fit at once, so a buffer is made for it, whose rent the creator gets back. That takes",
          }),
        }
      : null;
  const begin = (part: Uint8Array): Instruction[] => {
    assertOurs(rent, "what is begun is paid");
    const finalHash = Uint8Array.from(hash);
    const begun = { ...place, rentPayer: rent.payer, finalHash, finalSize: message.length, firstPart: part };
    return [
      ...(found.isLeftOver ? [closeTransactionBufferInstruction(place)] : []),
      createTransactionBufferInstruction(begun),
    ];
  };
  const end = [
    createTransactionFromBufferInstruction({ ...place, transactionIndex, rentPayer: payer }),
    createProposalInstruction({ settings, transactionIndex, creator, rentPayer: payer }),
    ...approvers.map((signer) => voteInstruction({ action: "approve", settings, transactionIndex, signer })),
  ];
  const parts = split(payer, message, found.writtenBytes, {
    begin,
    fill: (part) => [extendTransactionBufferInstruction({ ...place, part })],
    end,
  });
  assertOurs(parts.length <= limits.submitTransactionsMax, "a buffer takes fewer transactions than one submit");

  const proposalAddress = deriveProposalAddress(settings, transactionIndex);
  const { lookupTables = {}, owners } = content;
  const stored: ProposalContent = {
    kind: "transaction",
    accountIndex: 0,
    ephemeralSignerCount: 0,
    message: content.message,
  };
  const facts = {
    ...(owners ? { owners } : {}),
    proposals: new Map([[proposalAddress, { settings, transactionIndex, content: stored, lookupTables }]]),
  };
  const requests = parts.map(({ instructions, reachedBytes }, i): FollowingRequest => {
    const isLast = i === parts.length - 1;
    return {
      kind: "create_proposal",
      account,
      signers: [creator, ...(isLast ? approvers.filter((signer) => signer !== creator) : [])],
      instructions,
      feePayer,
      rentLamports: isLast ? rentLamports : i === 0 && rent?.payer === payer ? rent.lamports : 0n,
      facts,
      bufferStep: { digest, reachedBytes },
    };
  });
  return {
    prepared: await prepareSequence(needs, network, requests),
    proposalAddress,
    transactionIndex,
    buffer: {
      address: deriveTransactionBufferAddress(settings, creator, found.number),
      message,
      digest,
      writtenBytes: found.writtenBytes ?? 0,
      rent,
    },
  };
}

/** Which of a creator's 256 buffers a message goes through, and what is there. */
interface Place {
  readonly number: number;
  /** How much of this very message is there; null: the buffer is to be made. */
  readonly writtenBytes: number | null;
  /** Whether something else lies there, which is given up first. */
  readonly isLeftOver: boolean;
}

/** How many numbers follow from a message. */
const numbersPerMessage = 4;

/**
 * A repetition of a message meets its own buffer, because the numbers follow from its hash. Of those, one that holds its
 * beginning is used, or else is for it and holds anything else, or else a free one; so that what is being written of another
 * message is given up only where all of them are in use.
 */
async function findPlace(
  network: Network,
  leastSlot: bigint,
  { settings, creator }: { readonly settings: Address; readonly creator: Address },
  hash: Uint8Array,
  message: Uint8Array,
): Promise<Place> {
  const numbers = [...new Set(hash.subarray(0, numbersPerMessage))];
  const addresses = numbers.map((number) => deriveTransactionBufferAddress(settings, creator, number));
  const accounts = await readAccounts(network, addresses, { leastSlot });
  const places = numbers.map((number, i) => ({ number, buffer: readBuffer(accounts[i]) }));
  const own = places.filter(({ buffer }) => buffer && Buffer.from(buffer.finalHash).equals(hash));
  for (const { number, buffer } of own) {
    const written = Uint8Array.from(buffer?.content ?? []);
    const isBeginning = Buffer.from(written).equals(message.subarray(0, written.length));
    if (buffer?.finalSize === message.length && isBeginning) {
      return { number, writtenBytes: written.length, isLeftOver: false };
    }
  }
  const [broken] = own;
  if (broken) return { number: broken.number, writtenBytes: null, isLeftOver: true };
  const free = places.find(({ buffer }) => buffer === undefined);
  if (free) return { number: free.number, writtenBytes: null, isLeftOver: false };
  const [first] = places;
  assertOurs(first, "a hash has bytes");
  return { number: first.number, writtenBytes: null, isLeftOver: true };
}

/** What a transaction does, and how much of the message is there afterwards. */
interface Part {
  readonly instructions: readonly Instruction[];
  readonly reachedBytes: number;
}

/** The message in parts, each as large as its transaction allows; what is left of it at the end goes into the last one. */
function split(
  feePayer: Address,
  message: Uint8Array,
  writtenBytes: number | null,
  {
    begin,
    fill,
    end,
  }: {
    readonly begin: (part: Uint8Array) => readonly Instruction[];
    readonly fill: (part: Uint8Array) => readonly Instruction[];
    readonly end: readonly Instruction[];
  },
): Part[] {
  const parts: Part[] = [];
  let at = writtenBytes ?? 0;
  const take = (build: (part: Uint8Array) => readonly Instruction[]) => {
    const part = message.subarray(at, at + roomIn(feePayer, build));
    at += part.length;
    parts.push({ instructions: build(part), reachedBytes: at });
  };
  if (writtenBytes === null) take(begin);
  const withEnd = (part: Uint8Array) => (part.length === 0 ? end : [...fill(part), ...end]);
  while (message.length - at > roomIn(feePayer, withEnd)) take(fill);
  parts.push({ instructions: withEnd(message.subarray(at)), reachedBytes: message.length });
  return parts;
}

/** Data from here on takes two bytes to say how long it is. */
const longDataBytes = 128;

/** Bytes of a part that fit, with all the memory that such a transaction may ask for. */
function roomIn(feePayer: Address, build: (part: Uint8Array) => readonly Instruction[]): number {
  const budget = { units: computeUnitsMax, microLamportsPerUnit: 1n, heapFrameBytes: largestHeapFrameBytes };
  const { bytes } = composeTransaction(feePayer, noBlockhash, budget, build(new Uint8Array(longDataBytes)));
  return longDataBytes + limits.transactionBytes - bytes.length;
}

async function rentOf(network: Network, sizes: readonly number[]): Promise<bigint> {
  const rents = await Promise.all(
    sizes.map((size) => askChain(network.rpc.getMinimumBalanceForRentExemption(BigInt(size)))),
  );
  return rents.reduce((sum: bigint, one) => sum + one, 0n);
}

function neverBufferedByPasskey(): TrellisError {
  return new TrellisError("transaction_too_large", {
    message: "This does not fit into a transaction that a passkey signs.",
    suggestion: "Propose less at a time, several transactions as a batch, or have another signer propose it.",
  });
}

function neverBuffered(sizeBytes: number): TrellisError {
  return new TrellisError("transaction_too_large", {
    message: `What is to be voted on takes ${sizeBytes} bytes. An account stores ${maxBufferedMessageBytes} at most.`,
    suggestion: "Propose less at a time, or several transactions as a batch.",
    facts: { size_bytes: sizeBytes, limit_bytes: maxBufferedMessageBytes },
  });
}
