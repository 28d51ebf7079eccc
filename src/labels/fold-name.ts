/**
 * Letters that look like others, as pairs: each of the first is read as the one or two behind it. Both cases of a letter may be here,
 * because the one looks like a letter that the other does not: Cyrillic В like B. What is merged too much costs a name; too little, money.
 */
const lookalikes: ReadonlyMap<string, string> = new Map(
  [
    // Cyrillic
    "аa вb еe ѕs іl јj кk мm нh оo рp сc тt уy хx ԁd ԛq ԝw һh ӏl үy ґr гr эe зe чy ьb пn иn шw лn ԍg",
    // Greek
    "αa βb γy εe ζz ηn θo ιl κk λa μu νv οo πn ρp σo ςo τt υu χx ωw",
    // Armenian, Coptic, Cherokee
    "օo սu հh ոn ցg զq ѵv ⲟo ⲣp ⲥc ꭰd ꭱr ꭲt ꮃw",
    // Other letters of Latin
    "ıl ȷj øo đd ħh łl ŧt ƙk ɑa ɡg ɩl ɪl ʏy ɴn ʀr ʟl ꞵb ƽs ǝe əe ǀl ɓb ƅb ƈc ɗd ɠg ɦh ƥp ƭt ʋv ƴy ȥz þp",
    // Digits and signs
    "0o 1l |l $s €e £l ¢c",
    // Letters of today that look like each other
    "il",
  ]
    .join(" ")
    .split(" ")
    .map((pair) => {
      const [letter = "", ...likeness] = pair;
      return [letter, likeness.join("")] as const;
    }),
);

/** Marks that stand on letters of Latin, Greek and Cyrillic: those of other scripts are vowels. */
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;
/** Spaces, punctuation, and signs that stand for an accent. */
const unheard = /[\p{Z}\p{P}\p{Sk}]/gu;

/**
 * The same text for every name that could be mistaken for this one: whatever the case, compatible forms, accents, spaces and
 * punctuation, and letters that look alike. Empty where nothing is left.
 */
export function foldName(name: string): string {
  const lower = name.normalize("NFKC").toUpperCase().toLowerCase();
  const plain = lower.normalize("NFKD").replace(accents, "").replace(unheard, "");
  const alike = Array.from(plain, (letter) => lookalikes.get(letter) ?? letter).join("");
  return alike.replaceAll("rn", "m").replaceAll("vv", "w").normalize("NFC");
}
