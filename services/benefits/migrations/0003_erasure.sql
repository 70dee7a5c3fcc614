-- Up Migration
-- An erasure looks for everything that was observed of one member.

create index coverage_observations_of_member on coverage_observations (member_id);
