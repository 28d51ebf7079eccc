import { playRows } from "./play-rows.js";
import { rowsOfRails } from "./rows-of-rails.js";

playRows(rowsOfRails);
