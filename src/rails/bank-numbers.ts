/** The formats of banks' numbers, and the digits that detect a typing error. All pure. */

/** A US routing number: nine digits, and the weighted sum of them is a multiple of ten. */
export function isRoutingNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || text === "000000000") return false;
  const weights = [3, 7, 1];
  const sum = [...text].reduce((total, digit, at) => total + Number(digit) * (weights[at % 3] ?? 0), 0);
  return sum % 10 === 0;
}

/** Lengths of IBANs by country; a country that has none is refused. */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 " +
    "FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 " +
    "MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 " +
    "SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** An IBAN without its spaces, in capitals; undefined when it is none. */
export function parseIban(text: string): string | undefined {
  const iban = text.replaceAll(" ", "").toUpperCase();
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$/.test(iban) || ibanLengths[iban.slice(0, 2)] !== iban.length) return undefined;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)]
    .map((sign) => (/[A-Z]/.test(sign) ? (sign.charCodeAt(0) - 55).toString() : sign))
    .join("");
  return BigInt(digits) % 97n === 1n ? iban : undefined;
}

/**
 * Three letters (ISO 3166-1 alpha-3) of each country that has IBANs. Parts of a country that are written with its IBANs and
 * have letters of their own come after it.
 */
const ibanCountries: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  (
    "ADAND AEARE ALALB ATAUT AZAZE BABIH BEBEL BGBGR BHBHR BRBRA BYBLR CHCHE CRCRI CYCYP CZCZE DEDEU DKDNK DODOM EEEST " +
    "EGEGY ESESP FIFINALA FOFRO FRFRAGUFGLPMTQREUMYTPYFNCLWLFSPMATFBLMMAF GBGBRGGYJEYIMN GEGEO GIGIB GLGRL GRGRC GTGTM " +
    "HRHRV HUHUN IEIRL ILISR IQIRQ ISISL ITITA JOJOR KWKWT KZKAZ LBLBN LCLCA LILIE LTLTU LULUX LVLVA MCMCO MDMDA MEMNE " +
    "MKMKD MRMRT MTMLT MUMUS NLNLD NONORSJM PKPAK PLPOL PSPSE PTPRT QAQAT ROROU RSSRB SASAU SCSYC SESWE SISVN SKSVK SMSMR " +
    "STSTP SVSLV TLTLS TNTUN TRTUR UAUKR VAVAT VGVGB XKXKX"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), entry.slice(2).match(/.{3}/g) ?? []]),
);

/** Whether an IBAN, without spaces and in capitals, is one of a country of three letters. */
export const isIbanOf = (iban: string, country: string): boolean =>
  ibanCountries[iban.slice(0, 2)]?.includes(country) === true;

/** A CLABE: eighteen digits, the last of which checks the others. */
export function isClabe(text: string): boolean {
  if (!/^[0-9]{18}$/.test(text)) return false;
  const weights = [3, 7, 1];
  const sum = [...text.slice(0, 17)].reduce(
    (total, digit, at) => total + ((Number(digit) * (weights[at % 3] ?? 0)) % 10),
    0,
  );
  return (10 - (sum % 10)) % 10 === Number(text.at(-1));
}

/** A sort code without its hyphens; undefined when it is none. */
export function parseSortCode(text: string): string | undefined {
  const code = text.replaceAll(/[- ]/g, "");
  return /^[0-9]{6}$/.test(code) && code !== "000000" ? code : undefined;
}

export const isUsAccountNumber = (text: string): boolean => /^[0-9]{4,17}$/.test(text);
export const isGbAccountNumber = (text: string): boolean => /^[0-9]{8}$/.test(text);
export const isBic = (text: string): boolean => /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text);
export const isCountry = (text: string): boolean => /^[A-Z]{3}$/.test(text);
