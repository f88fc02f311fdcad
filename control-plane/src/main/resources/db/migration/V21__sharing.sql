-- How much memory of a shared machine is promised to its grants, each its own part. A machine without a row is exclusive.
CREATE TABLE machine_shares (
    machine      uuid PRIMARY KEY REFERENCES machines,
    memory_bytes bigint NOT NULL CHECK (memory_bytes > 0)
);

ALTER TABLE grants ADD COLUMN role text NOT NULL DEFAULT 'USE' CHECK (role IN ('USE', 'OBSERVE'));
