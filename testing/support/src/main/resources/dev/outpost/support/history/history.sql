-- What a backend's database holds after a long time: machines that are over, and what they left in other tables. The settings
-- history.machines, history.events and history.tenants say how much. Half of all rows are of the organisation "default", so that
-- its own past is long, too. A hundredth is older than every retention.

CREATE TEMP TABLE past AS
SELECT n,
       md5('machine ' || n)::uuid AS id,
       CASE WHEN n % 2 = 0 THEN 'default' ELSE 'past' || 1 + (n / 2) % (s.tenants - 1) END AS organisation,
       CASE WHEN n % 500 = 0 THEN 'side' ELSE 'default' END AS project,
       'k' || n % 50 AS key_id,
       CASE WHEN n <= s.machines / 100 THEN now() - interval '500 days'
            ELSE now() - interval '80 days' * (1 - n::float8 / s.machines) END - interval '2 hours' AS created_at
FROM (SELECT current_setting('history.machines')::int AS machines, current_setting('history.tenants')::int AS tenants) s,
     generate_series(1, s.machines) n;

INSERT INTO organisations (name) SELECT DISTINCT organisation FROM past ON CONFLICT DO NOTHING;

INSERT INTO projects (organisation, name)
SELECT o.name, p.name FROM organisations o, (VALUES ('default'), ('side')) p (name)
WHERE o.name IN (SELECT organisation FROM past) ON CONFLICT DO NOTHING;

INSERT INTO clusters (name, provider, state, gpus, options) VALUES ('paper', 'paper', 'ACTIVE', '{}', '{}') ON CONFLICT DO NOTHING;

INSERT INTO prices (gpu, from_at, nanos_per_second, per_hour)
SELECT g, '2020-01-01Z'::timestamptz + n * interval '180 days', 1000000 + n, (1000000 + n) * 0.0000036
FROM unnest('{A100,L4,H100,T4}'::text[]) g, generate_series(0, 11) n;

-- machines of one organisation in 20 were replicas of a deployment, one in 50 failed, one in 4 was held by a budget.
INSERT INTO machines (id, epoch, version, organisation, project, owner, gpu, gpus, members, life, phase, since, text, cluster, host, port,
    certificate, created_at, placed_at, ends_at, end_asked_at, end_reason, grants_due, key_id, hold_until, kind)
SELECT id, 1, 9, organisation, project, CASE WHEN n % 20 = 0 THEN 'deployment chat' ELSE 'key ' || key_id END,
    (ARRAY['A100', 'L4', 'any'])[1 + n % 3], 1, 1, 7200000, 'ENDED', created_at + interval '1 hour', 'key ' || key_id || ' asked for it', 'paper',
    '10.0.0.1', 7777, repeat('ab', 32), created_at, created_at + interval '1 minute', created_at + interval '2 hours',
    created_at + interval '1 hour', CASE WHEN n % 50 = 0 THEN 'FAILED' ELSE 'REQUESTED' END, false, key_id,
    CASE WHEN n % 4 = 0 THEN created_at + interval '1 hour' END, (ARRAY['A100', 'L4', 'T4'])[1 + n % 3]
FROM past;

-- One in ten more was a member of a pool.
INSERT INTO projects (organisation, name) VALUES ('outpost.pools', 'warm') ON CONFLICT DO NOTHING;

INSERT INTO pools (name, gpu, min, max, idle, lease, seen_at, text, due_at)
VALUES ('warm', 'T4', 0, 1, 300000, 300000, now() - interval '1 minute', '', now());

INSERT INTO machines (id, epoch, version, organisation, project, owner, gpu, gpus, members, lease, phase, since, text, cluster,
    created_at, placed_at, end_asked_at, end_reason, grants_due)
SELECT md5('member ' || n)::uuid, 1, 5, 'outpost.pools', 'warm', 'pool', 'T4', 1, 1, 300000, 'ENDED', created_at + interval '1 hour',
    'claimed', 'paper', created_at, created_at, created_at + interval '1 hour',
    CASE WHEN n % 100 = 0 THEN 'FAILED' ELSE 'CLAIMED' END, false
FROM past WHERE n % 10 = 0;

-- Transactions are numbered from 3 on, and those of the schema are over.
INSERT INTO events (xid, at, organisation, project, machine, type, phase, text)
SELECT (3 + n::bigint * 500 / current_setting('history.machines')::int)::text::xid8, created_at + e * interval '5 minutes', organisation, project, id, (ARRAY['CREATED', 'ADMITTED', 'PROGRESS', 'READY', 'ENDED'])[1 + e % 5],
    (ARRAY['POSITION', 'ADMITTED', 'NODE', 'READY', 'ENDED'])[1 + e % 5], 'the cluster says that it is so since a while'
FROM past, generate_series(0, current_setting('history.events')::int / current_setting('history.machines')::int - 1) e
ORDER BY 1, 2;

INSERT INTO usages (machine, organisation, project, gpu, gpus, from_at, to_at, began, ended)
SELECT id, organisation, project, (ARRAY['A100', 'L4', 'T4'])[1 + n % 3], 1,
    date_trunc('second', created_at + u * interval '20 minutes'), date_trunc('second', created_at + u * interval '20 minutes' + interval '15 minutes'),
    'READY', 'LOST'
FROM past, generate_series(0, 2) u ORDER BY created_at;

INSERT INTO grants (machine, sha256, owner, created_at, told)
SELECT id, md5(id || 'a' || g) || md5(id || 'b' || g), 'ada', created_at, true FROM past, generate_series(1, 2) g;

INSERT INTO grant_reports (machine, sha256, sessions, last_seen, live_bytes, engine_nanos, reported_at)
SELECT id, md5(id || 'a1') || md5(id || 'b1'), 0, created_at, 0, 12345, created_at FROM past;

INSERT INTO machine_traces SELECT id, '00-' || md5(id::text) || '-1122334455667788-01' FROM past;

INSERT INTO machine_secrets SELECT id, 'HF_TOKEN' FROM past WHERE n % 10 = 0;

INSERT INTO machine_shares SELECT id, 1000 FROM past WHERE n % 50 = 0;

INSERT INTO audit (at, organisation, actor, action, target, detail)
SELECT created_at, organisation, 'key ' || key_id, 'quota.set', 'project/' || project, 'GPUS of A100: 12 are allowed from now on' FROM past;

INSERT INTO idempotency (organisation, key, request, status, body, created_at)
SELECT organisation, 'past-' || n, sha256(id::text::bytea), 201, '{"id": "' || repeat('x', 300) || '"}', now() - interval '20 hours' FROM past;

INSERT INTO webhooks (id, organisation, url, types, key_name, sealed, paused)
SELECT md5('webhook ' || name)::uuid, name, 'http://127.0.0.1:9/', '{}', 'past', 'x', true FROM organisations
WHERE name IN (SELECT organisation FROM past);

INSERT INTO webhook_deliveries (webhook, event, type, body, state, tries, created_at)
SELECT md5('webhook ' || organisation)::uuid, id, 'machine.ready', '{"id": "' || repeat('x', 200) || '"}', CASE WHEN n % 1000 = 0 THEN 'DEAD' ELSE 'DELIVERED' END,
    1, least(created_at, now() - interval '1 hour') FROM past;

-- ---- jobs

INSERT INTO contents (id, size, created_at) SELECT md5('program ' || n)::uuid, 1000, created_at FROM past WHERE n % 5 = 0;

INSERT INTO files (organisation, sha256, size, complete, content, created_at)
SELECT organisation, md5('f' || n) || md5('g' || n), 1000, true, md5('program ' || n)::uuid, created_at FROM past WHERE n % 5 = 0;

INSERT INTO jobs (id, version, organisation, project, owner, key_id, name, gpu, program, program_name, arguments, environment, secrets,
    retries, timeout, phase, since, text, attempt, starts, machine, silent, begun_at, exit_code, created_at)
SELECT md5('job ' || n)::uuid, 7, organisation, project, 'ada', key_id, 'train', 'A100', md5('f' || f) || md5('g' || f), 'app.jar',
    '{}', '{}', '{}', 0, 3600000, 'SUCCEEDED', created_at + interval '1 hour', 'it ended with 0', 1, 1, id, 0, created_at, 0, created_at
FROM past, LATERAL (SELECT CASE n % 10 WHEN 5 THEN n ELSE n - n % 10 END AS f) WHERE n % 10 IN (0, 2, 4, 5) AND n >= 10;

INSERT INTO contents (id, size, created_at)
SELECT md5(kind || ' ' || j.id)::uuid, 20, j.created_at FROM jobs j, (VALUES ('log'), ('artefact')) k (kind);

INSERT INTO content_parts (content, at, bytes) SELECT id, 0, 'twenty bytes of text' FROM contents;

INSERT INTO job_attempts (job, number, machine, log, begun_at)
SELECT id, 1, machine, md5('log ' || id)::uuid, created_at FROM jobs;

INSERT INTO job_artefacts (job, attempt, path, content) SELECT id, 1, 'weights', md5('artefact ' || id)::uuid FROM jobs;

INSERT INTO job_machines (machine, job) SELECT machine, id FROM jobs;

INSERT INTO job_events (job, at, phase, text)
SELECT id, created_at, p, 'it went on' FROM jobs, unnest('{WAITING,STARTING,RUNNING,SUCCEEDED}'::text[]) p;

-- ---- texts

-- One in a hundred is of a login, and is forgotten soon.
INSERT INTO keys (id, organisation, subject, name, hash, scopes, created_at, created_by, expires_at)
SELECT 'k' || n, organisation, CASE WHEN n % 100 = 99 THEN 'ada' END, 'past', sha256(id::text::bytea), '{READ}', created_at, 'ada',
    created_at + interval '12 hours' FROM past;

INSERT INTO shown_keys (gateway_key, key_id, shown_at) SELECT 'gateway' || n % 3, 'k' || n, created_at FROM past;

INSERT INTO token_batches (organisation, id, hash, received_at)
SELECT organisation, id, sha256(id::text::bytea), now() - interval '8 days' * (n % 100) / 100 FROM past;

INSERT INTO token_usages (organisation, project, key_id, model, hour, texts, prompt_tokens, cached_tokens, new_tokens, seconds, nanos)
SELECT organisation, project, key_id, 'chat' || t, date_trunc('hour', created_at), 10, 1000, 10, 100, 60, 5000
FROM past, generate_series(1, 2) t ON CONFLICT DO NOTHING;

-- ---- what an organisation is held to

INSERT INTO budgets (organisation, project, key_id, period, cap_nanos, thresholds)
SELECT o.name, b.project, b.key_id, b.period, 9000000000000000000, '{80 NOTIFY,100 END}'
FROM organisations o, (VALUES ('', '', 'MONTH'), ('', '', 'LIFETIME'), ('default', '', 'DAY'), ('', 'k1', 'WEEK')) b (project, key_id, period)
WHERE o.name IN (SELECT organisation FROM past);

INSERT INTO quotas (organisation, project, resource, gpu, allowed)
SELECT o.name, q.project, q.resource, q.gpu, 1000000000
FROM organisations o, (VALUES ('', 'GPUS', ''), ('', 'MACHINES', 'A100'), ('', 'GPU_HOURS_PER_MONTH', ''), ('default', 'GPU_HOURS_PER_MONTH', 'A100'),
    ('', 'TOKENS_PER_MONTH', '')) q (project, resource, gpu)
WHERE o.name IN (SELECT organisation FROM past);

INSERT INTO deployments (organisation, project, name, min, max, target, idle, revision, wanted, busy_at, text, due_at)
SELECT name, 'default', 'chat', 0, 1, 4, 300000, 300, 0, now() - interval '1 day', '', now() FROM organisations
WHERE name IN (SELECT organisation FROM past);

INSERT INTO deployment_revisions (organisation, name, number, model, gpu, created_by)
SELECT organisation, name, r, 'file:/models/' || r, 'L4', 'key k1' FROM deployments, generate_series(1, 300) r;
