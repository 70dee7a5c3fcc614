#!/usr/bin/env bash
# A CAS segment of an X12 835 has up to six adjustments: reason, amount and quantity, each time. The Python package edi-835-parser reads the
# first of them and drops the others without a warning. A service whose charge of 300.00 is 100.00 paid and 200.00 adjusted then has
# adjustments of 140.00.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > advice.835 <<'ADVICE'
ISA*00*          *00*          *ZZ*PAYERID        *ZZ*PROVIDERID     *261127*1200*^*00501*000000001*0*T*:~
GS*HP*PAYERID*PROVIDERID*20261127*1200*1*X*005010X221A1~
ST*835*0001~
BPR*I*100*C*ACH*CCP*01*111000012*DA*123456*1512345678**01*111000012*DA*987654*20261127~
TRN*1*12345*1512345678~
DTM*405*20261127~
N1*PR*EXAMPLE PAYER~
N3*1 STREET~
N4*CITY*TX*75001~
PER*BL*HELP*TE*8005551212~
N1*PE*EXAMPLE CLINIC*XX*1234567893~
LX*1~
CLP*INV-1*1*300*100*30*12*PC1*11~
NM1*QC*1*DOE*JANE****MI*M1~
SVC*HC:90834*300*100**1~
DTM*472*20261101~
CAS*CO*45*120**96*50~
CAS*PR*1*20**2*10~
SE*17*0001~
GE*1*1~
IEA*1*000000001~
ADVICE
python3 -m venv python
python/bin/pip install --quiet edi-835-parser==1.8.0
cat > read.py <<'PYTHON'
import sys
import warnings

from edi_835_parser import parse

print("edi-835-parser 1.8.0")
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    advice = parse("advice.835")
    service = advice.to_dataframe().iloc[0]
adjustments = {}
for name in service.index:
    if name.startswith("adj_") and name.endswith("_amount"):
        number = name.split("_")[1]
        key = f"{service[f'adj_{number}_group']} {service[f'adj_{number}_code']}"
        adjustments[key] = float(service[name])
dropped = [str(each.message) for each in warned if "edi_835_parser" in each.filename]
print(f"charge {service['charge_amount']}, paid {service['paid_amount']}, adjustments {adjustments}")
print(f"charge minus paid {service['charge_amount'] - service['paid_amount']}, sum {sum(adjustments.values())}")
print(f"warnings of the package: {dropped}")
seen = adjustments == {"CO 45": 120.0, "PR 1": 20.0} and dropped == []
print("The behaviour is as described." if seen else "The behaviour has changed.")
sys.exit(0 if seen else 1)
PYTHON
python/bin/python read.py
