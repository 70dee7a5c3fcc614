-- Up Migration
-- By a session, the claims of it that ended: what they used may still be on its way back when the session is claimed again.

create index claims_ended_of_session on claims (project_id, session_id) where status in ('cancelled', 'reversed');
