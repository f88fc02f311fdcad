-- How much may be spent. One of the whole organisation has the empty project, one of all keys the empty key.
CREATE TABLE budgets (
    organisation text NOT NULL REFERENCES organisations,
    project      text NOT NULL,
    key_id       text NOT NULL,
    period       text NOT NULL CHECK (period IN ('DAY', 'WEEK', 'MONTH', 'LIFETIME')),
    cap_nanos    bigint NOT NULL CHECK (cap_nanos >= 0),
    -- Such as "80 NOTIFY", and those of them that were reached since the period began.
    thresholds   text[] NOT NULL,
    reached      text[] NOT NULL DEFAULT '{}',
    reached_from timestamptz,
    version      bigint NOT NULL DEFAULT 1,
    created_at   timestamptz NOT NULL DEFAULT outpost_now(),
    PRIMARY KEY (organisation, project, key_id, period)
);

-- By which key a machine was asked for, and until when a budget has what it costs put by.
ALTER TABLE machines ADD COLUMN key_id text NOT NULL DEFAULT '', ADD COLUMN hold_until timestamptz;
