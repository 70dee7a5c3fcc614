/** The made-up people of the local identity provider: one for each role of the console. */
export const DEMO_PEOPLE = [
  { role: 'viewer', email: 'viewer@carecover.example', name: 'Vera Viewer' },
  { role: 'operator', email: 'operator@carecover.example', name: 'Otieno Operator' },
  { role: 'finance', email: 'finance@carecover.example', name: 'Fatima Finance' },
  { role: 'administrator', email: 'administrator@carecover.example', name: 'Amina Administrator' },
] as const;
