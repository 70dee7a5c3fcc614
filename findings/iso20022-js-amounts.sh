#!/usr/bin/env bash
# iso20022.js gives the amounts of a bank statement in minor units (`parseAmountToMinorUnits` in its types). It multiplies with 100, in every
# currency and in binary fractions. 300 yen become 30000, although the yen has no minor unit; 1.005 Kuwaiti dinars (1005 fils) become
# 100.49999999999999; 19.99 euros become 1998.9999999999998, which is not an integer. No error says so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

npm install --silent --no-save --ignore-scripts --prefix "$folder" iso20022.js@0.0.15
cat > amounts.mjs <<'JAVASCRIPT'
import { CashManagementEndOfDayReport } from 'iso20022.js';

const statement = (currency, amount) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-27T20:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><CreDtTm>2026-11-27T20:00:00Z</CreDtTm>
<Acct><Id><Othr><Id>0001</Id></Othr></Id><Ccy>${currency}</Ccy>
<Svcr><FinInstnId><BIC>AAAABBCC</BIC></FinInstnId></Svcr></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt>
<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-27</Dt></Dt></Bal>
<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-11-27</Dt></BookgDt><ValDt><Dt>2026-11-27</Dt></ValDt>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd></Ntry>
</Stmt></BkToCstmrStmt></Document>`;

console.log('iso20022.js 0.0.15');
for (const [currency, amount, minorUnits] of [
  ['EUR', '300.00', 30_000],
  ['EUR', '19.99', 1_999],
  ['JPY', '300', 300],
  ['KWD', '1.005', 1_005],
]) {
  const [{ balances, entries }] = CashManagementEndOfDayReport.fromXML(statement(currency, amount)).statements;
  console.log(`${amount} ${currency}: entry ${entries[0].amount}, balance ${balances[0].amount}, in minor units ${minorUnits}`);
}
JAVASCRIPT
node amounts.mjs | tee output.txt

if grep -q '^300.00 EUR: entry 30000, balance 30000,' output.txt &&
  grep -q '^19.99 EUR: entry 1998.9999999999998, balance 1998.9999999999998,' output.txt &&
  grep -q '^300 JPY: entry 30000, balance 30000,' output.txt &&
  grep -q '^1.005 KWD: entry 100.49999999999999, balance 100.49999999999999,' output.txt; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
