-- What was taken of the quotas and given back since the counters were changed last. A transaction adds rows here, which no other one
-- waits for; they are added to the counters from time to time, and before a limit is checked.
CREATE TABLE quota_changes (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organisation text NOT NULL,
    project      text NOT NULL,
    resource     text NOT NULL,
    gpu          text NOT NULL,
    change       bigint NOT NULL
);
CREATE INDEX quota_changes_organisation ON quota_changes (organisation);
