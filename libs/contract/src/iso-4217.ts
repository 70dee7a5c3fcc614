/**
 * The active currencies of ISO 4217 with the number of decimals of their minor unit.
 *
 * Source: ISO 4217 List One of the maintenance agency (SIX), as of 2026-01-01. Left out are the codes that no bank account has as its currency:
 * funds and units of account (such as BOV, CHE, CLF, COU, MXV, USN, UYI, UYW, XAD), precious metals, XDR, XSU, XUA, XTS and XXX. All others
 * have 0, 2 or 3 decimals. The table is the product's own, because `Intl` follows the CLDR, whose decimals differ from ISO 4217 and change
 * between patch releases of Node.
 */
export const ISO_4217_DATE = '2026-01-01';

const CODES = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: [
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD',
    'EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL',
    'MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR',
    'SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  ].join(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND',
} as const;

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code) => [code, Number(exponent)] as const),
  ),
);

/** The codes of all active currencies, in alphabetical order. */
export const isoCurrencies: readonly string[] = [...EXPONENTS.keys()].sort();

/**
 * Returns the number of decimals of a currency's minor unit: 0, 2 or 3; undefined if the code is not that of an active currency.
 *
 * @example currencyExponent('KES') // 2
 */
export function currencyExponent(currency: string): number | undefined {
  return EXPONENTS.get(currency);
}
