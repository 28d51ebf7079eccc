import { playRows } from "./play-rows.js";
import { rowsOfPasskeySigners } from "./rows-of-passkey-signers.js";

playRows(rowsOfPasskeySigners);
