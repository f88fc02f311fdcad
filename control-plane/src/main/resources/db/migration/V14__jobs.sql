-- Bytes that grow at their end: programs, logs, artefacts. Each part begins where the one before it ends.
CREATE TABLE contents (
    id         uuid PRIMARY KEY,
    size       bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT outpost_now()
);

CREATE TABLE content_parts (
    content uuid NOT NULL REFERENCES contents ON DELETE CASCADE,
    at      bigint NOT NULL,
    bytes   bytea NOT NULL,
    PRIMARY KEY (content, at)
);

-- Programs by their SHA-256. One is complete when all its bytes are there and have that hash.
CREATE TABLE files (
    organisation text NOT NULL REFERENCES organisations,
    sha256       text NOT NULL,
    size         bigint NOT NULL,
    complete     boolean NOT NULL DEFAULT false,
    content      uuid NOT NULL REFERENCES contents,
    created_at   timestamptz NOT NULL DEFAULT outpost_now(),
    PRIMARY KEY (organisation, sha256)
);

CREATE TABLE jobs (
    id           uuid PRIMARY KEY,
    version      bigint NOT NULL,
    organisation text NOT NULL,
    project      text NOT NULL,
    owner        text NOT NULL,
    key_id       text NOT NULL,
    name         text NOT NULL,
    gpu          text NOT NULL,
    program      text NOT NULL,
    program_name text NOT NULL,
    arguments    text[] NOT NULL,
    environment  jsonb NOT NULL,
    secrets      text[] NOT NULL,
    retries      int NOT NULL,
    timeout      bigint NOT NULL,
    phase        text NOT NULL,
    since        timestamptz NOT NULL,
    text         text NOT NULL,
    attempt      int NOT NULL,
    starts       int NOT NULL,
    machine      uuid REFERENCES machines,
    runner       uuid,
    silent       int NOT NULL,
    begun_at     timestamptz,
    exit_code    int,
    stop_asked   text,
    retry_at     timestamptz,
    created_at   timestamptz NOT NULL,
    due_at       timestamptz,
    FOREIGN KEY (organisation, project) REFERENCES projects,
    FOREIGN KEY (organisation, program) REFERENCES files
);
CREATE INDEX jobs_due ON jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_listed ON jobs (organisation, created_at, id);
CREATE INDEX jobs_of_machine ON jobs (machine);

-- Runs of a program: one for each time that its runner was let begin.
CREATE TABLE job_attempts (
    job       uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    number    int NOT NULL,
    machine   uuid NOT NULL,
    log       uuid NOT NULL REFERENCES contents,
    begun_at  timestamptz NOT NULL DEFAULT outpost_now(),
    PRIMARY KEY (job, number)
);

CREATE TABLE job_artefacts (
    job     uuid NOT NULL,
    attempt int NOT NULL,
    path    text NOT NULL,
    content uuid NOT NULL REFERENCES contents,
    PRIMARY KEY (job, attempt, path),
    FOREIGN KEY (job, attempt) REFERENCES job_attempts ON DELETE CASCADE
);

CREATE TABLE job_events (
    seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job     uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
    at      timestamptz NOT NULL,
    phase   text NOT NULL,
    text    text NOT NULL
);
CREATE INDEX events_of_job ON job_events (job, seq);

-- Machines that a runner is started beside.
CREATE TABLE job_machines (
    machine uuid PRIMARY KEY REFERENCES machines,
    job     uuid NOT NULL REFERENCES jobs ON DELETE CASCADE
);

-- Where the runner of a machine on a worker host is told to ask; the host has its token from the orders.
ALTER TABLE worker_machines ADD COLUMN has_job boolean NOT NULL DEFAULT false;
