/** Types that accounts, instruction arguments and events share. */
import {
  address,
  bytes,
  fixedBytes,
  i64,
  link,
  opaque,
  option,
  smallBytes8,
  smallBytes16,
  smallVec,
  string,
  struct,
  typeOf,
  u8,
  u16,
  u32,
  u64,
  u128,
  variants,
  vec,
} from "./shapes.mjs";

/** Account contents after the discriminator. Events carry the same contents without one. */
export const settingsContent = [
  ["seed", u128, "The number in the account's address: the value of the global counter when it was created."],
  ["settingsAuthority", address, "All zero: autonomous, the members decide. Else this key alone changes the settings."],
  ["threshold", u16],
  ["timeLock", u32, "Seconds between approval and execution."],
  ["transactionIndex", u64, "The last index in use; 0 before the first transaction."],
  ["staleTransactionIndex", u64, "Proposals up to this index were made under older settings."],
  ["archivalAuthority", option(address)],
  ["archivableAfter", u64],
  ["bump", u8],
  ["signers", vec(link("smartAccountSigner")), "Sorted by key."],
  ["accountUtilization", u8],
  ["policySeed", option(u64), "Absent in accounts of the first program generation."],
  ["reserved", u8],
];

export const proposalContent = [
  ["settings", address, "The account whose members decide."],
  ["transactionIndex", u64],
  ["rentCollector", address, "Who paid the rent and gets it back."],
  ["status", link("proposalStatus")],
  ["bump", u8],
  ["approved", vec(address)],
  ["rejected", vec(address)],
  ["cancelled", vec(address)],
];

export const settingsTransactionContent = [
  ["settings", address],
  ["creator", address],
  ["rentCollector", address],
  ["index", u64],
  ["bump", u8],
  ["actions", vec(link("settingsAction"))],
];

export const spendingLimitContent = [
  ["settings", address],
  ["seed", address, "Any 32 bytes chosen by whoever created the limit."],
  ["accountIndex", u8],
  ["mint", address, "All zero: SOL."],
  ["amount", u64, "Base units per period."],
  ["period", link("period")],
  ["remainingAmount", u64],
  ["lastReset", i64],
  ["bump", u8],
  ["signers", vec(address)],
  ["destinations", vec(address), "Owners, not token accounts; empty: anybody."],
  ["expiration", i64, "Unix seconds; the greatest i64 means never."],
];

export const transactionContent = [
  ["consensusAccount", address],
  ["creator", address],
  ["rentCollector", address],
  ["index", u64],
  ["payload", link("transactionPayload")],
];

export const batchContent = [
  ["settings", address],
  ["creator", address],
  ["rentCollector", address],
  ["index", u64],
  ["bump", u8],
  ["accountIndex", u8],
  ["accountBump", u8],
  ["size", u32, "How many transactions are in it."],
  ["executedTransactionIndex", u32, "The last one that was executed, counted from 1; 0 before the first."],
];

export const batchTransactionContent = [
  ["bump", u8],
  ["rentCollector", address],
  ["ephemeralSignerBumps", bytes],
  ["message", link("storedTransactionMessage")],
];

export const transactionBufferContent = [
  ["settings", address],
  ["creator", address],
  ["bufferIndex", u8, "The creator's own number for it."],
  ["accountIndex", u8],
  ["finalBufferHash", fixedBytes(32), "The SHA-256 digest of the whole message."],
  ["finalBufferSize", u16],
  ["buffer", bytes, "What is there so far."],
];

export const programConfigContent = [
  ["smartAccountIndex", u128, "How many smart accounts exist."],
  ["authority", address],
  ["smartAccountCreationFee", u64, "Lamports."],
  ["treasury", address],
];

const policyNote = "Policies are not described here: the bytes are kept as they are.";

export const definedTypes = [
  typeOf(
    "smartAccountSigner",
    struct([
      ["key", address],
      ["permissions", u8, "Bits: 1 initiate, 2 vote, 4 execute."],
    ]),
  ),
  typeOf("period", variants([["oneTime"], ["day"], ["week"], ["month"]]), "A month is 30 days."),
  typeOf("consensusAccountType", variants([["settings"], ["policy"]])),
  typeOf(
    "proposalStatus",
    variants([
      ["draft", [["timestamp", i64]]],
      ["active", [["timestamp", i64]]],
      ["rejected", [["timestamp", i64]]],
      ["approved", [["timestamp", i64]]],
      ["executing"],
      ["executed", [["timestamp", i64]]],
      ["cancelled", [["timestamp", i64]]],
    ]),
    "Every status but Executing (never written any more) carries the Unix second at which it was set.",
  ),
  typeOf(
    "settingsAction",
    variants([
      ["addSigner", [["newSigner", link("smartAccountSigner")]]],
      ["removeSigner", [["oldSigner", address]]],
      ["changeThreshold", [["newThreshold", u16]]],
      ["setTimeLock", [["newTimeLock", u32]]],
      [
        "addSpendingLimit",
        [
          ["seed", address],
          ["accountIndex", u8],
          ["mint", address],
          ["amount", u64],
          ["period", link("period")],
          ["signers", vec(address)],
          ["destinations", vec(address)],
          ["expiration", i64],
        ],
      ],
      ["removeSpendingLimit", [["spendingLimit", address]]],
      ["setArchivalAuthority", [["newArchivalAuthority", option(address)]]],
      ["policyCreate", [["encoded", opaque, policyNote]]],
      ["policyUpdate", [["encoded", opaque, policyNote]]],
      ["policyRemove", [["policy", address]]],
    ]),
    "One change of the settings. A list can be read up to and including its first policyCreate or policyUpdate.",
  ),

  typeOf(
    "compiledInstruction",
    struct([
      ["programIdIndex", u8],
      ["accountIndexes", smallBytes8],
      ["data", smallBytes16],
    ]),
    "An inner instruction as it is sent.",
  ),
  typeOf(
    "compiledInstructions",
    smallVec(link("compiledInstruction")),
    "The payload of a synchronous execution: inner instructions over the accounts that follow the members.",
  ),
  typeOf(
    "addressTableLookup",
    struct([
      ["accountKey", address],
      ["writableIndexes", smallBytes8],
      ["readonlyIndexes", smallBytes8],
    ]),
  ),
  typeOf(
    "transactionMessage",
    struct([
      ["numSigners", u8],
      ["numWritableSigners", u8],
      ["numWritableNonSigners", u8],
      ["accountKeys", smallVec(address)],
      ["instructions", smallVec(link("compiledInstruction"))],
      ["addressTableLookups", smallVec(link("addressTableLookup"))],
    ]),
    "A wrapped message as create_transaction takes it.",
  ),

  typeOf(
    "storedInstruction",
    struct([
      ["programIdIndex", u8],
      ["accountIndexes", bytes],
      ["data", bytes],
    ]),
    "An inner instruction as accounts and events keep it.",
  ),
  typeOf(
    "storedAddressTableLookup",
    struct([
      ["accountKey", address],
      ["writableIndexes", bytes],
      ["readonlyIndexes", bytes],
    ]),
  ),
  typeOf(
    "storedTransactionMessage",
    struct([
      ["numSigners", u8],
      ["numWritableSigners", u8],
      ["numWritableNonSigners", u8],
      ["accountKeys", vec(address)],
      ["instructions", vec(link("storedInstruction"))],
      ["addressTableLookups", vec(link("storedAddressTableLookup"))],
    ]),
    "A wrapped message as the transaction account keeps it.",
  ),

  typeOf(
    "createTransactionArgs",
    variants([
      [
        "transactionPayload",
        [
          ["accountIndex", u8],
          ["ephemeralSigners", u8],
          ["transactionMessage", bytes, "An encoded transactionMessage."],
          ["memo", option(string)],
        ],
      ],
      ["policyPayload", [["encoded", opaque, policyNote]]],
    ]),
  ),
  typeOf(
    "transactionPayload",
    variants([
      [
        "transactionPayload",
        [
          ["accountIndex", u8],
          ["ephemeralSignerBumps", bytes],
          ["message", link("storedTransactionMessage")],
        ],
      ],
      ["policyPayload", [["encoded", opaque, policyNote]]],
    ]),
  ),
  typeOf(
    "syncPayload",
    variants([
      ["transaction", [["instructions", bytes, "Encoded compiledInstructions."]]],
      ["policy", [["encoded", opaque, policyNote]]],
    ]),
  ),

  typeOf(
    "firstGenerationTransaction",
    struct([
      ["settings", address],
      ["creator", address],
      ["rentCollector", address],
      ["index", u64],
      ["bump", u8],
      ["accountIndex", u8],
      ["accountBump", u8],
      ["ephemeralSignerBumps", bytes],
      ["message", link("storedTransactionMessage")],
    ]),
    "A transaction account of the program's first generation, after the same discriminator. The program of today cannot read it.",
  ),
  typeOf("settingsState", struct(settingsContent)),
  typeOf("proposalState", struct(proposalContent)),
  typeOf("settingsTransactionState", struct(settingsTransactionContent)),
  typeOf("spendingLimitState", struct(spendingLimitContent)),
  typeOf("transactionState", struct(transactionContent)),

  typeOf("transactionEventType", variants([["create"], ["execute"], ["close"]])),
  typeOf("proposalEventType", variants([["create"], ["approve"], ["reject"], ["cancel"], ["execute"], ["close"]])),
  typeOf(
    "transactionEventContent",
    variants([
      ["transaction", [["transaction", link("transactionState")]]],
      [
        "settingsTransaction",
        [
          ["settings", link("settingsState")],
          ["transaction", link("settingsTransactionState")],
          ["changes", vec(link("settingsAction"))],
        ],
      ],
    ]),
  ),
  typeOf(
    "synchronousEventPayload",
    variants([
      [
        "transaction",
        [
          ["accountIndex", u8],
          ["instructions", vec(link("storedInstruction"))],
        ],
      ],
      ["policy", [["encoded", opaque, policyNote]]],
    ]),
  ),
  typeOf(
    "smartAccountEvent",
    variants([
      [
        "createSmartAccount",
        [
          ["settingsAddress", address],
          ["settings", link("settingsState")],
        ],
      ],
      [
        "synchronousTransaction",
        [
          ["settingsAddress", address],
          ["accountIndex", u8],
          ["signers", vec(address)],
          ["instructions", vec(link("storedInstruction"))],
          ["instructionAccounts", vec(address)],
        ],
      ],
      [
        "synchronousSettingsTransaction",
        [
          ["settingsAddress", address],
          ["signers", vec(address)],
          ["settings", link("settingsState"), "After the changes."],
          ["changes", vec(link("settingsAction"))],
        ],
      ],
      [
        "addSpendingLimit",
        [
          ["settingsAddress", address],
          ["spendingLimitAddress", address],
          ["spendingLimit", link("spendingLimitState")],
        ],
      ],
      [
        "removeSpendingLimit",
        [
          ["settingsAddress", address],
          ["spendingLimitAddress", address],
        ],
      ],
      [
        "useSpendingLimit",
        [
          ["settingsAddress", address],
          ["spendingLimitAddress", address],
          ["smartAccount", address],
          ["smartAccountTokenAccount", address, "All zero when SOL is spent, like the other token fields."],
          ["destination", address],
          ["destinationTokenAccount", address],
          ["signer", address],
          ["mint", address],
          ["decimals", u8],
          ["amount", u64],
          ["spendingLimit", link("spendingLimitState"), "After the payment."],
        ],
      ],
      [
        "authoritySettings",
        [
          ["settings", link("settingsState"), "After the change."],
          ["settingsAddress", address],
          ["authority", address],
          ["change", link("settingsAction")],
        ],
      ],
      [
        "authorityChange",
        [
          ["settings", link("settingsState")],
          ["settingsAddress", address],
          ["authority", address],
          ["newAuthority", option(address)],
        ],
      ],
      [
        "transaction",
        [
          ["consensusAccount", address],
          ["consensusAccountType", link("consensusAccountType")],
          ["eventType", link("transactionEventType")],
          ["transactionAddress", address],
          ["transactionIndex", u64],
          ["signer", option(address)],
          ["memo", option(string)],
          ["content", option(link("transactionEventContent"))],
        ],
      ],
      [
        "proposal",
        [
          ["consensusAccount", address],
          ["consensusAccountType", link("consensusAccountType")],
          ["eventType", link("proposalEventType")],
          ["proposalAddress", address],
          ["transactionIndex", u64],
          ["signer", option(address)],
          ["memo", option(string)],
          ["proposal", option(link("proposalState")), "Absent when the proposal was closed."],
        ],
      ],
      [
        "synchronousTransactionV2",
        [
          ["consensusAccount", address],
          ["consensusAccountType", link("consensusAccountType")],
          ["signers", vec(address)],
          ["payload", link("synchronousEventPayload")],
          ["instructionAccounts", vec(address)],
        ],
      ],
    ]),
    "What log_event carries: the first byte is the kind.",
  ),
];
