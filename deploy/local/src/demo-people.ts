/** The made-up people of the local identity provider: one for each role of the console. */
export const DEMO_PEOPLE = (
  [
    ['viewer', 'Vera Viewer'],
    ['operator', 'Otieno Operator'],
    ['finance', 'Fatima Finance'],
    ['administrator', 'Amina Administrator'],
  ] as const
).map(([role, name]) => ({ role, name, sub: `demo-${role}`, email: `${role}@carecover.example` }));

/** The client ID of agents that act for these people. */
export const AGENT_CLIENT_ID = 'agent';
