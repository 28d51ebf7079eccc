import { playRows } from "./play-rows.js";
import { rowsOfWalletExports } from "./rows-of-wallet-exports.js";

playRows(rowsOfWalletExports);
