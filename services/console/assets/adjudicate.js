// Shows, while a person types, whether the amounts of each claim line add up. The claims service checks the amounts again.
function check(line) {
  const read = (part) => {
    const { value } = line.querySelector(`[data-part="${part}"]`);
    return /^\d{1,16}$/.test(value) ? BigInt(value) : null;
  };
  const [allowed, payer, patient, adjustment] = [
    'allowed',
    'payer',
    'patient_responsibility',
    'adjustment',
  ].map(read);
  const output = line.querySelector('output');
  if ([allowed, payer, patient, adjustment].includes(null)) {
    output.textContent = '';
    return;
  }
  const missing = BigInt(line.dataset.billed) - allowed - adjustment;
  const split = allowed - payer - patient;
  const problems = [];
  if (missing !== 0n) problems.push(`billed − allowed − adjustment is ${missing}, not 0`);
  if (split !== 0n) problems.push(`allowed − payer − patient is ${split}, not 0`);
  output.textContent = problems.length === 0 ? 'balanced' : problems.join('; ');
  output.className = problems.length === 0 ? 'balanced' : 'late';
}

for (const line of document.querySelectorAll('fieldset[data-billed]')) {
  line.addEventListener('input', () => check(line));
  check(line);
}
