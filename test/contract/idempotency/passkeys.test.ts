import { playRows } from "./play-rows.js";
import { rowsOfPasskeys } from "./rows-of-passkeys.js";

playRows(rowsOfPasskeys);
