-- Warm machines that nobody has asked for yet. They are machines of an organisation of their own, which no key belongs to:
-- its name is none that can be given.
INSERT INTO organisations (name) VALUES ('outpost.pools') ON CONFLICT (name) DO NOTHING;

CREATE TABLE pools (
    name       text PRIMARY KEY,
    version    bigint NOT NULL DEFAULT 1,
    gpu        text NOT NULL,
    min        int NOT NULL CHECK (min >= 0),
    max        int NOT NULL CHECK (max >= greatest(min, 1)),
    idle       bigint NOT NULL,
    lease      bigint NOT NULL,
    paused     boolean NOT NULL DEFAULT false,
    failures   int NOT NULL DEFAULT 0,
    retry_at   timestamptz,
    -- Members that ended before then were taken account of.
    seen_at    timestamptz NOT NULL,
    text       text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT outpost_now(),
    due_at     timestamptz NOT NULL
);

-- Under which id its cluster knows a machine that came from a pool.
ALTER TABLE machines ADD COLUMN member uuid UNIQUE;
CREATE INDEX machines_of_pools ON machines (project, created_at) WHERE organisation = 'outpost.pools';
