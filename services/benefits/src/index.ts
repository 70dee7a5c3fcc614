/** What others may take from benefits by name: the erasure of a member, for the operator's command. */
export { eraseMember } from './store/members';
