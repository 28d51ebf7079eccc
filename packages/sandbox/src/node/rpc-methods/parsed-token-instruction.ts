import type { Address } from "@solana/kit";
import { uiTokenAmount } from "../token-layout.js";
import type { Fields, Words } from "./instruction-fields.js";

type Accounts = readonly (Address | undefined)[];

const authorityTypes = [
  "mintTokens",
  "freezeAccount",
  "accountOwner",
  "closeAccount",
  "transferFeeConfig",
  "withheldWithdraw",
  "closeMint",
  "interestRate",
  "permanentDelegate",
  "confidentialTransferMint",
  "transferHookProgramId",
  "confidentialTransferFeeConfig",
  "metadataPointer",
  "groupPointer",
  "groupMemberPointer",
  "scaledUiAmount",
  "pause",
];

/** An instruction of the token programs in words. What only Token-2022 knows is reported as far as wallets meet it. */
export function parseTokenInstruction(accounts: Accounts, data: Fields): Words {
  const report = (type: string, names: readonly string[], more: Record<string, unknown> = {}): Words =>
    accounts.length < names.length
      ? undefined
      : { type, info: { ...Object.fromEntries(names.map((name, index) => [name, accounts[index]])), ...more } };
  /** One owner signs, or several of a multisig, which then follow. */
  const reportSigned = (
    type: string,
    names: readonly string[],
    owner: string,
    more: Record<string, unknown> = {},
  ): Words => {
    if (accounts.length <= names.length) return undefined;
    const signers = accounts.slice(names.length + 1);
    const signing =
      signers.length === 0
        ? { [owner]: accounts[names.length] }
        : { [`multisig${owner[0]?.toUpperCase()}${owner.slice(1)}`]: accounts[names.length], signers };
    return report(type, names, { ...more, ...signing });
  };
  const amount = () => ({ amount: data.u64().toString() });
  const tokenAmount = () => {
    const units = data.u64();
    return { tokenAmount: uiTokenAmount(units, data.u8()) };
  };
  const mint = () => {
    const decimals = data.u8();
    const mintAuthority = data.address();
    const freezeAuthority = data.optionalAddress();
    return { decimals, mintAuthority, ...(freezeAuthority && { freezeAuthority }) };
  };

  switch (data.u8()) {
    case 0:
      return report("initializeMint", ["mint", "rentSysvar"], mint());
    case 1:
      return report("initializeAccount", ["account", "mint", "owner", "rentSysvar"]);
    case 2:
      return report("initializeMultisig", ["multisig", "rentSysvar"], { m: data.u8(), signers: accounts.slice(2) });
    case 3:
      return reportSigned("transfer", ["source", "destination"], "authority", amount());
    case 4:
      return reportSigned("approve", ["source", "delegate"], "owner", amount());
    case 5:
      return reportSigned("revoke", ["source"], "owner");
    case 6: {
      const authorityType = authorityTypes[data.u8()];
      if (authorityType === undefined) return undefined;
      const isOfAccount = authorityType === "accountOwner" || authorityType === "closeAccount";
      const newAuthority = data.optionalAddress();
      return reportSigned("setAuthority", [isOfAccount ? "account" : "mint"], "authority", {
        authorityType,
        newAuthority,
      });
    }
    case 7:
      return reportSigned("mintTo", ["mint", "account"], "mintAuthority", amount());
    case 8:
      return reportSigned("burn", ["account", "mint"], "authority", amount());
    case 9:
      return reportSigned("closeAccount", ["account", "destination"], "owner");
    case 10:
      return reportSigned("freezeAccount", ["account", "mint"], "freezeAuthority");
    case 11:
      return reportSigned("thawAccount", ["account", "mint"], "freezeAuthority");
    case 12:
      return reportSigned("transferChecked", ["source", "mint", "destination"], "authority", tokenAmount());
    case 13:
      return reportSigned("approveChecked", ["source", "mint", "delegate"], "owner", tokenAmount());
    case 14:
      return reportSigned("mintToChecked", ["mint", "account"], "mintAuthority", tokenAmount());
    case 15:
      return reportSigned("burnChecked", ["account", "mint"], "authority", tokenAmount());
    case 16:
      return report("initializeAccount2", ["account", "mint", "rentSysvar"], { owner: data.address() });
    case 17:
      return report("syncNative", ["account"]);
    case 18:
      return report("initializeAccount3", ["account", "mint"], { owner: data.address() });
    case 19:
      return report("initializeMultisig2", ["multisig"], { m: data.u8(), signers: accounts.slice(1) });
    case 20:
      return report("initializeMint2", ["mint"], mint());
    case 21:
      return report("getAccountDataSize", ["mint"]);
    case 22:
      return report("initializeImmutableOwner", ["account"]);
    case 23:
      return report("amountToUiAmount", ["mint"], amount());
    case 24:
      return report("uiAmountToAmount", ["mint"], { uiAmount: data.restAsText() });
    case 25: {
      const newAuthority = data.optionalAddress();
      return report("initializeMintCloseAuthority", ["mint"], { newAuthority });
    }
    case 26:
      return transferFeeWords(report, reportSigned, data);
    case 31:
      return report("createNativeMint", ["payer", "nativeMint", "systemProgram"]);
    case 32:
      return report("initializeNonTransferableMint", ["mint"]);
    case 35:
      return report("initializePermanentDelegate", ["mint"], { delegate: data.address() });
    default:
      return undefined;
  }
}

type Report = (type: string, names: readonly string[], more?: Record<string, unknown>) => Words;
type ReportSigned = (type: string, names: readonly string[], owner: string, more?: Record<string, unknown>) => Words;

function transferFeeWords(report: Report, reportSigned: ReportSigned, data: Fields): Words {
  switch (data.u8()) {
    case 0: {
      const transferFeeConfigAuthority = data.optionalAddress();
      const withdrawWithheldAuthority = data.optionalAddress();
      return report("initializeTransferFeeConfig", ["mint"], {
        ...(transferFeeConfigAuthority && { transferFeeConfigAuthority }),
        ...(withdrawWithheldAuthority && { withdrawWithheldAuthority }),
        transferFeeBasisPoints: data.u16(),
        maximumFee: Number(data.u64()),
      });
    }
    case 1: {
      const [units, decimals, fee] = [data.u64(), data.u8(), data.u64()];
      return reportSigned("transferCheckedWithFee", ["source", "mint", "destination"], "authority", {
        tokenAmount: uiTokenAmount(units, decimals),
        feeAmount: uiTokenAmount(fee, decimals),
      });
    }
    default:
      return undefined;
  }
}
