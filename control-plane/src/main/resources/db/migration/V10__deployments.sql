-- A named endpoint that serves a model; how many replicas it has follows from its load.
CREATE TABLE deployments (
    organisation text NOT NULL,
    project      text NOT NULL,
    name         text NOT NULL,
    version      bigint NOT NULL DEFAULT 1,
    min          int NOT NULL CHECK (min >= 0),
    max          int NOT NULL CHECK (max >= greatest(min, 1)),
    target       int NOT NULL CHECK (target >= 1),
    idle         bigint NOT NULL,
    -- The revision that replicas are started of, and the last one of which a replica has served.
    revision     int NOT NULL,
    proven       int,
    wanted       int NOT NULL,
    busy_at      timestamptz NOT NULL,
    low_since    timestamptz,
    failures     int NOT NULL DEFAULT 0,
    retry_at     timestamptz,
    text         text NOT NULL,
    removed      boolean NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL DEFAULT outpost_now(),
    due_at       timestamptz NOT NULL,
    PRIMARY KEY (organisation, name),
    FOREIGN KEY (organisation, project) REFERENCES projects
);
CREATE INDEX deployments_due ON deployments (due_at);

-- What replicas of a revision are. Rows are added, and never changed but for why one has failed.
CREATE TABLE deployment_revisions (
    organisation text NOT NULL,
    name         text NOT NULL,
    number       int NOT NULL,
    model        text NOT NULL,
    gpu          text NOT NULL,
    dtype        text,
    created_at   timestamptz NOT NULL DEFAULT outpost_now(),
    created_by   text NOT NULL,
    failure      text,
    PRIMARY KEY (organisation, name, number),
    FOREIGN KEY (organisation, name) REFERENCES deployments ON DELETE CASCADE
);

-- The machines of a deployment, until they are over.
CREATE TABLE replicas (
    machine        uuid PRIMARY KEY REFERENCES machines,
    organisation   text NOT NULL,
    name           text NOT NULL,
    revision       int NOT NULL,
    served         boolean NOT NULL DEFAULT false,
    draining_since timestamptz,
    FOREIGN KEY (organisation, name) REFERENCES deployments ON DELETE CASCADE
);
CREATE INDEX replicas_of_deployment ON replicas (organisation, name);

-- What gateways said last: of a deployment, the requests that wait for a replica; of a replica, how it is used.
CREATE TABLE gateway_demands (
    organisation text NOT NULL,
    name         text NOT NULL,
    gateway      text NOT NULL,
    held         int NOT NULL,
    reported_at  timestamptz NOT NULL,
    PRIMARY KEY (organisation, name, gateway),
    FOREIGN KEY (organisation, name) REFERENCES deployments ON DELETE CASCADE
);

CREATE TABLE gateway_replicas (
    machine     uuid NOT NULL REFERENCES replicas ON DELETE CASCADE,
    gateway     text NOT NULL,
    state       text NOT NULL CHECK (state IN ('LOADING', 'SERVING', 'DRAINED', 'FAILED')),
    requests    int NOT NULL,
    cache_use   double precision NOT NULL,
    text        text NOT NULL,
    reported_at timestamptz NOT NULL,
    PRIMARY KEY (machine, gateway)
);
