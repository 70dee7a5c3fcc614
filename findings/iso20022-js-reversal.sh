#!/usr/bin/env bash
# iso20022.js compares the reversal indicator of a statement's entry with a text, but its XML reader has made it a boolean. So `reversal` is
# false for every entry, also for a debit that takes a credit back, which then looks like a payment.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

npm install --silent --no-save --ignore-scripts --prefix "$folder" iso20022.js@0.0.15
cat > reversal.mjs <<'JAVASCRIPT'
import { CashManagementEndOfDayReport } from 'iso20022.js';

const statement = (indicator) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-27T20:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><CreDtTm>2026-11-27T20:00:00Z</CreDtTm>
<Acct><Id><Othr><Id>0001</Id></Othr></Id><Ccy>EUR</Ccy><Svcr><FinInstnId><BIC>AAAABBCC</BIC></FinInstnId></Svcr></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">0.00</Amt>
<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-27</Dt></Dt></Bal>
<Ntry><Amt Ccy="EUR">50.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>${indicator}<Sts>BOOK</Sts>
<BookgDt><Dt>2026-11-27</Dt></BookgDt><ValDt><Dt>2026-11-27</Dt></ValDt>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn></BkTxCd></Ntry>
</Stmt></BkToCstmrStmt></Document>`;

console.log('iso20022.js 0.0.15');
for (const indicator of ['<RvslInd>true</RvslInd>', '<RvslInd>1</RvslInd>', '<RvslInd>false</RvslInd>', '']) {
  const [{ entries }] = CashManagementEndOfDayReport.fromXML(statement(indicator)).statements;
  console.log(`${indicator || 'no indicator'}: reversal ${entries[0].reversal}`);
}
JAVASCRIPT
node reversal.mjs | tee output.txt

if [[ $(grep -c 'reversal false$' output.txt) == 4 ]]; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
