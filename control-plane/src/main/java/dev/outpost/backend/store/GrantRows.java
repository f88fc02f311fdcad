package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.channel.grant.GrantTerms;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of grants: the hashes of the tokens that open a machine. */
public final class GrantRows {
    private static final String OF_MACHINE =
            "SELECT g.machine, g.sha256, g.owner, g.role, m.organisation || '/' || m.project AS project, g.memory_bytes,"
                    + " g.weight, g.sessions, least(g.expires_at, m.hold_until) AS expires, g.created_at, g.revoked_at,"
                    + " g.version, g.told FROM grants g JOIN machines m ON m.id = g.machine WHERE g.machine = ?";

    private GrantRows() {}

    /**
     * A grant.
     *
     * @param sha256 the token's hash, in hex
     * @param terms the rights of its holder, which end with a budget's hold at the latest
     * @param version counts its changes, from 1
     * @param told true if the machine has received this version
     */
    public record Stored(
            UUID machine,
            String sha256,
            String owner,
            GrantTerms terms,
            Instant created,
            Optional<Instant> revoked,
            long version,
            boolean told) {}

    public static List<Stored> of(Sql sql, UUID machine) {
        return sql.query(OF_MACHINE + " ORDER BY g.created_at, g.sha256", Stored.class, machine);
    }

    /** The position at which a page ends. */
    public record Position(Instant created, String sha256) {
        public static final Position START = new Position(Instant.EPOCH, "");
    }

    /** Returns the grants after a position, oldest first. */
    public static List<Stored> page(Sql sql, UUID machine, Position after, int limit) {
        return sql.query(
                OF_MACHINE + " AND (g.created_at, g.sha256) > (?, ?) ORDER BY g.created_at, g.sha256 LIMIT ?",
                Stored.class,
                machine,
                after.created(),
                after.sha256(),
                limit);
    }

    public static Optional<Stored> find(Sql sql, UUID machine, String sha256) {
        return sql.one(OF_MACHINE + " AND g.sha256 = ?", Stored.class, machine, sha256);
    }

    /** Adds a grant. Returns false if the machine already has a grant for this token. */
    public static boolean add(Sql sql, UUID machine, String sha256, String owner, GrantTerms terms) {
        return sql.insert(
                        "grants",
                        terms(terms)
                                .and("machine", machine)
                                .and("sha256", sha256)
                                .and("owner", owner),
                        "ON CONFLICT (machine, sha256) DO NOTHING")
                == 1;
    }

    /** Changes the terms of a valid grant. Returns false if the grant has another version now, or is revoked. */
    public static boolean change(Sql sql, UUID machine, String sha256, GrantTerms terms, long version) {
        return sql.change(
                        "grants",
                        terms(terms).and("version", version + 1),
                        "machine = ? AND sha256 = ? AND version = ? AND revoked_at IS NULL",
                        machine,
                        sha256,
                        version)
                == 1;
    }

    private static Columns terms(GrantTerms terms) {
        return Columns.of(terms, "role, memory_bytes, weight, sessions, expires_at")
                .and("told", false);
    }

    /** Revokes a grant. Returns false if it does not exist or is revoked already. */
    public static boolean revoke(Sql sql, UUID machine, String sha256) {
        return sql.update(
                        "UPDATE grants SET revoked_at = outpost_now(), told = false, version = version + 1"
                                + " WHERE machine = ? AND sha256 = ? AND revoked_at IS NULL",
                        machine,
                        sha256)
                == 1;
    }

    /** Records that the machine has received these versions of grants. */
    public static void markTold(Sql sql, List<Stored> grants) {
        grants.forEach(grant -> sql.update(
                "UPDATE grants SET told = true WHERE machine = ? AND sha256 = ? AND version = ?",
                grant.machine(),
                grant.sha256(),
                grant.version()));
    }

    public static boolean hasUntold(Sql sql, UUID machine) {
        return sql.exists("SELECT 1 FROM grants WHERE machine = ? AND NOT told LIMIT 1", machine);
    }
}
