-- Running totals of what machines and texts have used and cost, so that budgets, quotas and bills sum over no history. A row is of one
-- project or of all (empty), of one key or of all (empty), and of one kind of GPU or of all (empty), in one period of a budget.
-- Machines that were charged and texts carry how much of them is counted here; what is not counted yet is added by whoever reads.
CREATE TABLE totals (
    organisation text NOT NULL,
    project      text NOT NULL,
    key_id       text NOT NULL,
    gpu          text NOT NULL,
    period       text NOT NULL CHECK (period IN ('DAY', 'WEEK', 'MONTH', 'LIFETIME')),
    begins       timestamptz NOT NULL,
    nanos        bigint NOT NULL DEFAULT 0,
    seconds      bigint NOT NULL DEFAULT 0,
    token_nanos  bigint NOT NULL DEFAULT 0,
    tokens       bigint NOT NULL DEFAULT 0,
    bytes        bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (organisation, project, key_id, gpu, period, begins)
);

ALTER TABLE usages ADD COLUMN counted boolean NOT NULL DEFAULT false;
CREATE INDEX usages_to_count ON usages (organisation, machine) WHERE NOT counted AND to_at IS NOT NULL;
CREATE INDEX usages_running ON usages (organisation) WHERE to_at IS NULL;

ALTER TABLE token_usages
    ADD COLUMN counted_nanos bigint NOT NULL DEFAULT 0,
    ADD COLUMN counted_prompt bigint NOT NULL DEFAULT 0,
    ADD COLUMN counted_new bigint NOT NULL DEFAULT 0;
-- A column, so that PostgreSQL knows how few rows there are of these.
ALTER TABLE token_usages ADD COLUMN uncounted boolean
    GENERATED ALWAYS AS (nanos <> counted_nanos OR prompt_tokens <> counted_prompt OR new_tokens <> counted_new) STORED;
CREATE INDEX token_usages_to_count ON token_usages (organisation) WHERE uncounted;

-- The costs of machines that were forgotten before there were totals.
INSERT INTO totals (organisation, project, key_id, gpu, period, begins, nanos)
SELECT f.organisation, p.project, k.key_id, '', 'LIFETIME', '1970-01-01 00:00:00+00', least(sum(f.nanos), 9223372036854775807)
FROM forgotten_costs f, LATERAL (VALUES (''), (f.project)) p (project),
    LATERAL (SELECT '' UNION SELECT f.key_id) k (key_id)
GROUP BY f.organisation, p.project, k.key_id;

-- What a machine has cost on a day, as the bill shows it.
CREATE TABLE usage_days (
    organisation text NOT NULL,
    day          date NOT NULL,
    machine      uuid NOT NULL,
    project      text NOT NULL,
    gpu          text NOT NULL,
    deployment   text,
    seconds      bigint NOT NULL,
    nanos        bigint NOT NULL,
    PRIMARY KEY (organisation, day, machine)
);
CREATE INDEX usage_days_of_project ON usage_days (organisation, project, day, machine);

-- What a project has used of late in GPU seconds, each halved for each half-life that has passed until that time.
CREATE TABLE fair_shares (
    organisation text NOT NULL,
    project      text NOT NULL,
    seconds      double precision NOT NULL,
    at           timestamptz NOT NULL,
    PRIMARY KEY (organisation, project)
);

-- By which old rows are found to be forgotten.
CREATE INDEX usage_days_by_age ON usage_days (day);
CREATE INDEX totals_by_age ON totals (begins) WHERE period <> 'LIFETIME';
