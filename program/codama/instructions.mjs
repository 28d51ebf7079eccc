/** The instructions, their accounts in order and their arguments. */
import {
  argumentValueNode,
  instructionAccountNode,
  instructionArgumentNode,
  instructionNode,
  instructionRemainingAccountsNode,
  programIdValueNode,
  publicKeyValueNode,
} from "codama";
import {
  address,
  bool,
  byDiscriminator,
  bytes,
  discriminatorField,
  fixedBytes,
  i64,
  link,
  option,
  string,
  u8,
  u16,
  u32,
  u64,
  vec,
} from "./shapes.mjs";

const SYSTEM_PROGRAM = "11111111111111111111111111111111";

/** `flags`: w writable, s signer, ? optional (absent: the program's own id stands in its place). */
const account = (name, flags = "", docs) =>
  instructionAccountNode({
    name,
    isWritable: flags.includes("w"),
    isSigner: flags.includes("s"),
    isOptional: flags.includes("?"),
    ...(docs ? { docs: [docs] } : {}),
    ...(name === "program" ? { defaultValue: programIdValueNode() } : {}),
    ...(name === "systemProgram" && !flags.includes("?")
      ? { defaultValue: publicKeyValueNode(SYSTEM_PROGRAM, "systemProgram") }
      : {}),
  });

const instruction = (name, { docs, args = [], accounts, remaining }) =>
  instructionNode({
    name: name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()),
    docs: [docs],
    accounts: accounts.map((entry) => account(...entry)),
    arguments: [
      instructionArgumentNode(discriminatorField("global", name)),
      ...args.map(([argument, type, note]) =>
        instructionArgumentNode({ name: argument, type, ...(note ? { docs: [note] } : {}) }),
      ),
    ],
    ...(remaining
      ? {
          remainingAccounts: remaining.map(([argument, options]) =>
            instructionRemainingAccountsNode(argumentValueNode(argument), options),
          ),
        }
      : {}),
    discriminators: byDiscriminator,
    optionalAccountStrategy: "programId",
  });

const memo = ["memo", option(string)];
const program = ["program"];
const systemProgram = ["systemProgram"];
const optionalRent = [
  ["rentPayer", "ws?", "Pays when an account grows."],
  ["systemProgram", "?"],
];
const members = ["members", { isSigner: true, docs: ["The members who act, in the number the argument says."] }];
const touched = [
  "spendingLimits",
  { isWritable: true, isOptional: true, docs: ["Spending limits the actions create or remove."] },
];

const configChange = (name, argument) =>
  instruction(name, {
    docs: "Only for the authority named in the configuration.",
    args: [argument],
    accounts: [
      ["programConfig", "w"],
      ["authority", "s"],
    ],
  });

const asAuthority = (name, docs, args) =>
  instruction(name, {
    docs,
    args: [...args, memo],
    accounts: [["settings", "w"], ["settingsAuthority", "s"], ...optionalRent, program],
  });

const vote = (name, docs) =>
  instruction(name, {
    docs,
    args: [memo],
    accounts: [
      ["consensusAccount"],
      ["signer", "ws"],
      ["proposal", "w"],
      ["systemProgram", "?", "Needed to cancel."],
      program,
    ],
  });

const close = (name, first, docs) =>
  instruction(name, {
    docs,
    accounts: [
      [first],
      ["proposal", "w", "May not exist."],
      ["transaction", "w"],
      ["proposalRentCollector", "w"],
      ["transactionRentCollector", "w"],
      systemProgram,
      program,
    ],
  });

export const instructions = [
  instruction("initialize_program_config", {
    docs: "Creates the configuration. Once, and only by the key built into the program.",
    args: [
      ["authority", address],
      ["smartAccountCreationFee", u64],
      ["treasury", address],
    ],
    accounts: [["programConfig", "w"], ["initializer", "ws"], systemProgram],
  }),
  configChange("set_program_config_authority", ["newAuthority", address]),
  configChange("set_program_config_smart_account_creation_fee", ["newSmartAccountCreationFee", u64]),
  configChange("set_program_config_treasury", ["newTreasury", address]),

  instruction("create_smart_account", {
    docs: "Creates a settings account at the next free address, which must be among the candidates.",
    args: [
      ["settingsAuthority", option(address)],
      ["threshold", u16],
      ["signers", vec(link("smartAccountSigner"))],
      ["timeLock", u32],
      ["rentCollector", option(address), "Read and ignored."],
      memo,
    ],
    accounts: [
      ["programConfig", "w"],
      ["treasury", "w"],
      ["creator", "ws", "Pays rent and fee; need not be a member."],
      systemProgram,
      program,
    ],
    remaining: [["candidates", { isWritable: true, docs: ["Settings addresses for the next values of the counter."] }]],
  }),

  asAuthority("add_signer_as_authority", "Adds one signer to a controlled account.", [
    ["newSigner", link("smartAccountSigner")],
  ]),
  asAuthority("remove_signer_as_authority", "Removes one signer from a controlled account.", [["oldSigner", address]]),
  asAuthority("set_time_lock_as_authority", "Sets the time lock of a controlled account.", [["timeLock", u32]]),
  asAuthority("change_threshold_as_authority", "Sets the threshold of a controlled account.", [["newThreshold", u16]]),
  asAuthority(
    "set_new_settings_authority_as_authority",
    "Hands a controlled account to another authority; the zero key gives it up for good.",
    [["newSettingsAuthority", address]],
  ),
  asAuthority("set_archival_authority_as_authority", "Always refused: not implemented by the program.", [
    ["newArchivalAuthority", option(address)],
  ]),
  instruction("add_spending_limit_as_authority", {
    docs: "Creates a spending limit of a controlled account.",
    args: [
      ["seed", address],
      ["accountIndex", u8],
      ["mint", address],
      ["amount", u64],
      ["period", link("period")],
      ["signers", vec(address)],
      ["destinations", vec(address)],
      ["expiration", i64],
      memo,
    ],
    accounts: [
      ["settings"],
      ["settingsAuthority", "s"],
      ["spendingLimit", "w"],
      ["rentPayer", "ws"],
      systemProgram,
      program,
    ],
  }),
  instruction("remove_spending_limit_as_authority", {
    docs: "Removes a spending limit of a controlled account; its lamports go to the collector.",
    args: [memo],
    accounts: [["settings"], ["settingsAuthority", "s"], ["spendingLimit", "w"], ["rentCollector", "w"], program],
  }),

  instruction("create_settings_transaction", {
    docs: "Writes down a settings change for voting (autonomous accounts).",
    args: [["actions", vec(link("settingsAction"))], memo],
    accounts: [["settings", "w"], ["transaction", "w"], ["creator", "s"], ["rentPayer", "ws"], systemProgram, program],
  }),
  instruction("execute_settings_transaction", {
    docs: "Applies an approved settings change.",
    accounts: [["settings", "w"], ["signer", "s"], ["proposal", "w"], ["transaction"], ...optionalRent, program],
    remaining: [touched],
  }),
  instruction("execute_settings_transaction_sync", {
    docs: "Applies a settings change at once, signed by enough members together.",
    args: [["numSigners", u8], ["actions", vec(link("settingsAction"))], memo],
    accounts: [["consensusAccount", "w"], ...optionalRent, program],
    remaining: [members, touched],
  }),

  instruction("create_transaction", {
    docs: "Writes down a wrapped message for voting.",
    args: [["args", link("createTransactionArgs")]],
    accounts: [
      ["consensusAccount", "w"],
      ["transaction", "w"],
      ["creator", "s"],
      ["rentPayer", "ws"],
      systemProgram,
      program,
    ],
  }),
  instruction("execute_transaction", {
    docs: "Executes an approved wrapped message. The accounts the message names follow.",
    accounts: [["consensusAccount", "w"], ["proposal", "w"], ["transaction"], ["signer", "s"], program],
  }),
  instruction("execute_transaction_sync", {
    docs: "Executes inner instructions at once; their indexes count the members too. Superseded by the second form.",
    args: [
      ["accountIndex", u8],
      ["numSigners", u8],
      ["instructions", bytes],
    ],
    accounts: [["consensusAccount"], program],
    remaining: [members],
  }),
  instruction("execute_transaction_sync_v2", {
    docs: "Executes inner instructions at once, signed by enough members together. The inner accounts follow the members.",
    args: [
      ["accountIndex", u8],
      ["numSigners", u8],
      ["payload", link("syncPayload")],
    ],
    accounts: [["consensusAccount", "w"], program],
    remaining: [members],
  }),

  instruction("create_transaction_buffer", {
    docs: "Opens a buffer for a message that does not fit one transaction.",
    args: [
      ["bufferIndex", u8],
      ["accountIndex", u8],
      ["finalBufferHash", fixedBytes(32), "The SHA-256 digest of the whole message."],
      ["finalBufferSize", u16, "At most 4,000 bytes."],
      ["buffer", bytes, "The first part; may be empty."],
    ],
    accounts: [["consensusAccount"], ["transactionBuffer", "w"], ["creator", "s"], ["rentPayer", "ws"], systemProgram],
  }),
  instruction("extend_transaction_buffer", {
    docs: "Appends the next part to a buffer.",
    args: [["buffer", bytes]],
    accounts: [["consensusAccount"], ["transactionBuffer", "w"], ["creator", "s"]],
  }),
  instruction("create_transaction_from_buffer", {
    docs: "Writes down the message in a complete buffer for voting, and closes the buffer to its creator.",
    args: [["args", link("createTransactionArgs"), "With six zero bytes for the message."]],
    accounts: [
      ["consensusAccount", "w"],
      ["transaction", "w"],
      ["creator", "s"],
      ["rentPayer", "ws"],
      systemProgram,
      program,
      ["transactionBuffer", "w"],
      ["bufferCreator", "ws", "The creator again."],
    ],
  }),
  instruction("close_transaction_buffer", {
    docs: "Gives up a buffer; its rent goes to its creator.",
    accounts: [["consensusAccount"], ["transactionBuffer", "w"], ["creator", "ws"]],
  }),

  instruction("create_batch", {
    docs: "Opens a batch: several messages under one vote.",
    args: [["accountIndex", u8], memo],
    accounts: [["settings", "w"], ["batch", "w"], ["creator", "s"], ["rentPayer", "ws"], systemProgram],
  }),
  instruction("add_transaction_to_batch", {
    docs: "Adds a message while the batch's proposal is a draft. Only for the batch's creator.",
    args: [
      ["ephemeralSigners", u8],
      ["transactionMessage", bytes, "An encoded transactionMessage."],
    ],
    accounts: [
      ["settings"],
      ["proposal"],
      ["batch", "w"],
      ["transaction", "w"],
      ["signer", "s"],
      ["rentPayer", "ws"],
      systemProgram,
    ],
  }),
  instruction("execute_batch_transaction", {
    docs: "Executes the next message of an approved batch. The accounts the message names follow.",
    accounts: [["settings"], ["signer", "s"], ["proposal", "w"], ["batch", "w"], ["transaction"]],
  }),
  instruction("close_batch_transaction", {
    docs: "Gives back the rent of a batch's last message. Nobody has to sign.",
    accounts: [["settings"], ["proposal"], ["batch", "w"], ["transaction", "w"], ["rentCollector", "w"], systemProgram],
  }),
  instruction("close_batch", {
    docs: "Gives back the rent of an empty batch that is finished or stale. Nobody has to sign.",
    accounts: [
      ["settings"],
      ["proposal", "w", "May not exist."],
      ["batch", "w"],
      ["proposalRentCollector", "w"],
      ["batchRentCollector", "w"],
      systemProgram,
      program,
    ],
  }),

  instruction("create_proposal", {
    docs: "Opens the vote on a transaction.",
    args: [
      ["transactionIndex", u64],
      ["draft", bool],
    ],
    accounts: [["consensusAccount"], ["proposal", "w"], ["creator", "s"], ["rentPayer", "ws"], systemProgram, program],
  }),
  instruction("activate_proposal", {
    docs: "Turns a draft into an open vote.",
    accounts: [["settings"], ["signer", "ws"], ["proposal", "w"]],
  }),
  vote("approve_proposal", "One member's approval."),
  vote("reject_proposal", "One member's rejection."),
  vote("cancel_proposal", "One member's vote to call off an approved proposal."),
  close(
    "close_transaction",
    "consensusAccount",
    "Gives back the rent of a finished or stale payment. Nobody has to sign.",
  ),
  close("close_settings_transaction", "settings", "Gives back the rent of a finished or stale settings change."),

  instruction("use_spending_limit", {
    docs: "Pays out of a spending limit. SOL: with the system program; tokens: with the five token accounts.",
    args: [["amount", u64], ["decimals", u8], memo],
    accounts: [
      ["settings"],
      ["signer", "s"],
      ["spendingLimit", "w"],
      ["smartAccount", "w"],
      ["destination", "w", "The payee's wallet, not its token account."],
      ["systemProgram", "?"],
      ["mint", "?"],
      ["smartAccountTokenAccount", "w?"],
      ["destinationTokenAccount", "w?"],
      ["tokenProgram", "?"],
      program,
    ],
  }),
  instruction("log_event", {
    docs: "How the program records an event: it calls itself, signing as one of its own accounts.",
    args: [["event", bytes, "An encoded smartAccountEvent."]],
    accounts: [["logAuthority", "s"]],
  }),
];
