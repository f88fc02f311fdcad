-- The cost of machines whose rows were removed, by their project and the key that they were asked for by. Budgets for a lifetime count it.
CREATE TABLE forgotten_costs (
    organisation text NOT NULL REFERENCES organisations,
    project      text NOT NULL,
    key_id       text NOT NULL,
    nanos        bigint NOT NULL CHECK (nanos >= 0),
    PRIMARY KEY (organisation, project, key_id)
);
