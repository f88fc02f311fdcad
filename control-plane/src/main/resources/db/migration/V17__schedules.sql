-- Jobs that are made by the clock.
CREATE TABLE schedules (
    organisation text NOT NULL,
    project      text NOT NULL,
    name         text NOT NULL,
    version      bigint NOT NULL DEFAULT 1,
    cron         text NOT NULL,
    zone         text NOT NULL,
    missed       text NOT NULL CHECK (missed IN ('SKIP', 'ONCE', 'ALL')),
    overlap      boolean NOT NULL,
    paused       boolean NOT NULL,
    owner        text NOT NULL,
    key_id       text NOT NULL,
    gpu          text NOT NULL,
    program      text NOT NULL,
    program_name text NOT NULL,
    arguments    text[] NOT NULL,
    environment  jsonb NOT NULL,
    secrets      text[] NOT NULL,
    retries      int NOT NULL,
    timeout      bigint NOT NULL,
    -- The time of the next run that is not made yet.
    next_at      timestamptz,
    last_job     uuid,
    text         text NOT NULL,
    due_at       timestamptz,
    PRIMARY KEY (organisation, name),
    FOREIGN KEY (organisation, project) REFERENCES projects,
    FOREIGN KEY (organisation, program) REFERENCES files
);
CREATE INDEX schedules_due ON schedules (due_at) WHERE due_at IS NOT NULL;
