-- Indexes by which no statement reads what is over to find what is not, and by which old rows are found to be forgotten.
CREATE INDEX machines_current ON machines (organisation, created_at, id) WHERE phase <> 'ENDED';
CREATE INDEX machines_current_of_project ON machines (organisation, project, created_at, id) WHERE phase <> 'ENDED';
CREATE INDEX machines_of_project ON machines (organisation, project, created_at, id);
CREATE INDEX machines_ending ON machines (ends_at) WHERE phase <> 'ENDED';
CREATE INDEX machines_failed ON machines (organisation, project, created_at)
    WHERE end_reason IN ('FAILED', 'REFUSED', 'START_TIMEOUT');
CREATE INDEX machines_over ON machines (since) WHERE phase = 'ENDED';
CREATE INDEX machines_of_cluster ON machines (cluster);
CREATE INDEX machines_held ON machines (organisation) WHERE hold_until IS NOT NULL AND phase NOT IN ('ENDING', 'ENDED');
CREATE INDEX pool_members ON machines (project, created_at, id) WHERE organisation = 'outpost.pools' AND phase NOT IN ('ENDING', 'ENDED');
CREATE INDEX pool_claims ON machines (project, end_asked_at) WHERE organisation = 'outpost.pools' AND end_reason = 'CLAIMED';
CREATE INDEX pool_failures ON machines (project, since)
    WHERE organisation = 'outpost.pools' AND phase = 'ENDED' AND end_reason NOT IN ('CLAIMED', 'REQUESTED');

CREATE INDEX jobs_of_project ON jobs (organisation, project, created_at, id);
CREATE INDEX jobs_over ON jobs (since) WHERE due_at IS NULL;
CREATE INDEX jobs_of_program ON jobs (organisation, program);
CREATE INDEX schedules_of_program ON schedules (organisation, program);
CREATE INDEX job_attempts_of_machine ON job_attempts (machine);
CREATE INDEX job_attempts_of_log ON job_attempts (log);
CREATE INDEX job_artefacts_of_content ON job_artefacts (content);
CREATE INDEX job_machines_of_job ON job_machines (job);
CREATE INDEX files_of_content ON files (content);
CREATE INDEX files_by_age ON files (created_at);
CREATE INDEX deployment_revisions_of_model ON deployment_revisions (organisation, model);

CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (webhook, (id + 0));
CREATE INDEX webhook_deliveries_of_state ON webhook_deliveries (webhook, state, (id + 0));
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at) WHERE due_at IS NULL;
CREATE INDEX audit_in_order ON audit (organisation, (seq + 0));
CREATE INDEX audit_by_age ON audit (at);
CREATE INDEX idempotency_by_age ON idempotency (created_at);

CREATE INDEX token_usages_listed ON token_usages (organisation, hour, project, key_id, model);
CREATE INDEX token_usages_of_project ON token_usages (organisation, project, hour, key_id, model);
CREATE INDEX token_usages_by_age ON token_usages (hour);
CREATE INDEX keys_listed ON keys (organisation, id);
CREATE INDEX keys_of_project ON keys (organisation, project, id) WHERE project IS NOT NULL;
CREATE INDEX keys_of_members ON keys (organisation, subject) WHERE subject IS NOT NULL;
CREATE INDEX keys_of_logins ON keys (least(expires_at, revoked_at)) WHERE created_by = subject;
CREATE INDEX keys_replaced ON keys (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX keys_of_operators ON keys (id) WHERE 'OPERATOR' = ANY (scopes);
CREATE INDEX shown_keys_of_key ON shown_keys (key_id);
CREATE INDEX shown_keys_by_age ON shown_keys (shown_at);
