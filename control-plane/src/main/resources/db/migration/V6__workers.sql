-- Hosts that join as clusters of the provider "worker". Of the code that pairs one, and of its key, there is only the hash.
CREATE TABLE workers (
    cluster    text PRIMARY KEY REFERENCES clusters ON DELETE CASCADE,
    code_hash  bytea,
    code_until timestamptz,
    key_hash   bytea,
    paired_at  timestamptz,
    host       text,
    version    text,
    heard_at   timestamptz
);

-- Counts the changes of what shall be on worker hosts.
CREATE SEQUENCE worker_versions;

-- What shall be on a worker host, and what it says of it. A machine is here until the host has nothing left of it.
CREATE TABLE worker_machines (
    cluster      text NOT NULL REFERENCES clusters ON DELETE CASCADE,
    id           text NOT NULL,
    epoch        int NOT NULL,
    installation text NOT NULL,
    gpu          text NOT NULL,
    gpus         int NOT NULL,
    memory       bigint,
    lease        bigint,
    idle         bigint,
    life         bigint,
    labels       jsonb NOT NULL,
    options      jsonb NOT NULL,
    grants       text[] NOT NULL,
    revoked      text[] NOT NULL DEFAULT '{}',
    ending       boolean NOT NULL DEFAULT false,
    version      bigint NOT NULL DEFAULT nextval('worker_versions'),
    created_at   timestamptz NOT NULL DEFAULT outpost_now(),
    changed_at   timestamptz NOT NULL DEFAULT outpost_now(),
    -- The version that the host has carried out, and how the machine is since when; no state where the host has none such.
    applied      bigint NOT NULL DEFAULT 0,
    state        text,
    reason       text,
    end_cause    text,
    host         text,
    port         int,
    certificate  text,
    since        timestamptz,
    PRIMARY KEY (cluster, id, epoch)
);

CREATE TABLE worker_logs (
    cluster text NOT NULL,
    id      text NOT NULL,
    epoch   int NOT NULL,
    number  int NOT NULL,
    line    text NOT NULL,
    PRIMARY KEY (cluster, id, epoch, number),
    FOREIGN KEY (cluster, id, epoch) REFERENCES worker_machines ON DELETE CASCADE
);
