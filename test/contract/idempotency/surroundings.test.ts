import { playRows } from "./play-rows.js";
import { rowsOfSurroundings } from "./rows-of-surroundings.js";

playRows(rowsOfSurroundings);
