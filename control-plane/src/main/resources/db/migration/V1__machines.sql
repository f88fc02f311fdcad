-- The one place where the backend's time comes from. Tests replace it by a simulated clock.
CREATE FUNCTION outpost_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT clock_timestamp()';

-- By what the machines of this database are told from those of others at one supplier.
CREATE TABLE installation (
    one  boolean PRIMARY KEY DEFAULT true CHECK (one),
    name text NOT NULL
);
INSERT INTO installation (name) VALUES ('outpost-' || left(replace(gen_random_uuid()::text, '-', ''), 10));

CREATE TABLE organisations (
    name       text PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT outpost_now(),
    version    bigint NOT NULL DEFAULT 1
);

CREATE TABLE projects (
    organisation text NOT NULL REFERENCES organisations,
    name         text NOT NULL,
    priority     int NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL DEFAULT outpost_now(),
    archived_at  timestamptz,
    version      bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (organisation, name)
);

-- A member of the whole organisation has the empty project.
CREATE TABLE members (
    organisation text NOT NULL REFERENCES organisations,
    project      text NOT NULL,
    subject      text NOT NULL,
    role         text NOT NULL CHECK (role IN ('VIEWER', 'DEVELOPER', 'ADMIN')),
    created_at   timestamptz NOT NULL DEFAULT outpost_now(),
    version      bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (organisation, project, subject)
);

-- The secret itself is never here. A key without a project is for all of the organisation's.
CREATE TABLE keys (
    id           text PRIMARY KEY,
    organisation text NOT NULL REFERENCES organisations,
    project      text,
    name         text NOT NULL,
    hash         bytea NOT NULL,
    scopes       text[] NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT outpost_now(),
    created_by   text NOT NULL,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    replaced_by  text,
    version      bigint NOT NULL DEFAULT 1,
    FOREIGN KEY (organisation, project) REFERENCES projects
);
CREATE INDEX keys_by_organisation ON keys (organisation, created_at, id);

CREATE TABLE clusters (
    name           text PRIMARY KEY,
    provider       text NOT NULL,
    state          text NOT NULL CHECK (state IN ('ACTIVE', 'CORDONED', 'DRAINING')),
    gpus           text[] NOT NULL,
    machines       int,
    options        jsonb NOT NULL DEFAULT '{}',
    created_at     timestamptz NOT NULL DEFAULT outpost_now(),
    version        bigint NOT NULL DEFAULT 1,
    observer       uuid,
    observer_until timestamptz,
    observed_at    timestamptz,
    trouble        text
);

CREATE TABLE machines (
    id           uuid PRIMARY KEY,
    epoch        int NOT NULL,
    version      bigint NOT NULL,
    organisation text NOT NULL,
    project      text NOT NULL,
    owner        text NOT NULL,
    gpu          text NOT NULL,
    gpus         int NOT NULL,
    members      int NOT NULL,
    life         bigint,
    lease        bigint,
    idle         bigint,
    phase        text NOT NULL,
    since        timestamptz NOT NULL,
    text         text NOT NULL,
    cluster      text REFERENCES clusters,
    host         text,
    port         int,
    certificate  text,
    created_at   timestamptz NOT NULL,
    placed_at    timestamptz,
    ends_at      timestamptz,
    lost_from    text,
    end_asked_at timestamptz,
    end_reason   text,
    grants_due   boolean NOT NULL,
    -- Work that is due: when, and who does it until when. A result of a holder whose token is not here any more is dropped.
    due_at       timestamptz,
    lock_token   uuid,
    lock_until   timestamptz,
    FOREIGN KEY (organisation, project) REFERENCES projects
);
CREATE INDEX machines_due ON machines (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX machines_live ON machines (cluster) WHERE phase <> 'ENDED';
CREATE INDEX machines_queued ON machines (created_at) WHERE phase IN ('QUOTA', 'POSITION', 'CAPACITY');
CREATE INDEX machines_listed ON machines (organisation, created_at, id);

-- Of a client's token there is only the hash.
CREATE TABLE grants (
    machine    uuid NOT NULL REFERENCES machines,
    sha256     text NOT NULL,
    owner      text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT outpost_now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    told       boolean NOT NULL,
    PRIMARY KEY (machine, sha256)
);

-- Sequence numbers are drawn before a commit, so one may become visible after a higher one. The number of the transaction
-- tells which rows can still come: see Events.
CREATE TABLE events (
    seq          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid          xid8 NOT NULL DEFAULT pg_current_xact_id(),
    at           timestamptz NOT NULL,
    organisation text NOT NULL,
    project      text NOT NULL,
    machine      uuid NOT NULL,
    type         text NOT NULL,
    phase        text NOT NULL,
    text         text NOT NULL
);
CREATE INDEX events_in_order ON events (xid, seq);
CREATE INDEX events_of_machine ON events (machine, seq);

-- Up to which cursor events were removed.
CREATE TABLE event_horizon (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    xid xid8 NOT NULL,
    seq bigint NOT NULL
);
INSERT INTO event_horizon (xid, seq) VALUES ('0', 0);

CREATE TABLE usages (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    machine      uuid NOT NULL REFERENCES machines,
    organisation text NOT NULL,
    project      text NOT NULL,
    gpu          text NOT NULL,
    gpus         int NOT NULL,
    from_at      timestamptz NOT NULL,
    to_at        timestamptz,
    began        text NOT NULL,
    ended        text
);
CREATE UNIQUE INDEX usages_open ON usages (machine) WHERE to_at IS NULL;
CREATE INDEX usages_of_organisation ON usages (organisation, from_at);
CREATE INDEX usages_of_machine ON usages (machine, id);

CREATE TABLE prices (
    gpu              text NOT NULL,
    from_at          timestamptz NOT NULL,
    nanos_per_second bigint NOT NULL CHECK (nanos_per_second >= 0),
    PRIMARY KEY (gpu, from_at)
);

-- A limit of the organisation has the empty project; one of all kinds of GPU has the empty kind.
CREATE TABLE quotas (
    organisation text NOT NULL REFERENCES organisations,
    project      text NOT NULL,
    resource     text NOT NULL,
    gpu          text NOT NULL,
    allowed      bigint NOT NULL CHECK (allowed >= 0),
    version      bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (organisation, project, resource, gpu)
);

-- What machines hold of the quotas, under the same names. Locked by whoever decides, and equal to a count of the rows.
CREATE TABLE quota_counters (
    organisation text NOT NULL,
    project      text NOT NULL,
    resource     text NOT NULL,
    gpu          text NOT NULL,
    used         bigint NOT NULL CHECK (used >= 0),
    PRIMARY KEY (organisation, project, resource, gpu)
);

CREATE TABLE audit (
    seq          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at           timestamptz NOT NULL DEFAULT outpost_now(),
    organisation text NOT NULL,
    actor        text NOT NULL,
    action       text NOT NULL,
    target       text NOT NULL,
    detail       text NOT NULL
);
CREATE INDEX audit_of_organisation ON audit (organisation, seq);

CREATE TABLE idempotency (
    organisation text NOT NULL,
    key          text NOT NULL,
    request      bytea NOT NULL,
    status       int NOT NULL,
    body         text NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT outpost_now(),
    PRIMARY KEY (organisation, key)
);
