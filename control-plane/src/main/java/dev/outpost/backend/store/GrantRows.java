package dev.outpost.backend.store;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.channel.grant.GrantTerms.Role;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/** The table of grants: whose tokens open a machine, by their hashes. */
public final class GrantRows {
    private static final String OF_MACHINE =
            "SELECT g.*, least(g.expires_at, m.hold_until) AS ends_at, m.organisation || '/' || m.project AS account FROM grants g"
                    + " JOIN machines m ON m.id = g.machine WHERE g.machine = ?";

    private GrantRows() {}

    /**
     * A grant.
     *
     * @param sha256 the token's hash, in hex
     * @param terms what its holder may do, until a budget's hold is over at the latest
     * @param version counts its changes, from 1
     * @param told whether the machine was told of it as it is
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
        return sql.query(OF_MACHINE + " ORDER BY g.created_at, g.sha256", GrantRows::read, machine);
    }

    /** Where a page ends. */
    public record Position(Instant created, String sha256) {
        public static final Position START = new Position(Instant.EPOCH, "");
    }

    /** Oldest first, from behind a position on. */
    public static List<Stored> page(Sql sql, UUID machine, Position after, int limit) {
        return sql.query(
                OF_MACHINE + " AND (g.created_at, g.sha256) > (?, ?) ORDER BY g.created_at, g.sha256 LIMIT ?",
                GrantRows::read,
                machine,
                after.created(),
                after.sha256(),
                limit);
    }

    public static Optional<Stored> find(Sql sql, UUID machine, String sha256) {
        return sql.one(OF_MACHINE + " AND g.sha256 = ?", GrantRows::read, machine, sha256);
    }

    /** False where the machine has a grant of that token already. */
    public static boolean add(Sql sql, UUID machine, String sha256, String owner, GrantTerms terms) {
        return sql.update(
                        "INSERT INTO grants (machine, sha256, owner, role, memory_bytes, weight, sessions, expires_at, told)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, false) ON CONFLICT (machine, sha256) DO NOTHING",
                        machine,
                        sha256,
                        owner,
                        terms.role(),
                        memory(terms),
                        terms.weight(),
                        sessions(terms),
                        terms.expires())
                == 1;
    }

    /** Writes terms over a version of a grant that is in force; false where it is of another version by now, or revoked. */
    public static boolean change(Sql sql, UUID machine, String sha256, GrantTerms terms, long version) {
        return sql.update(
                        "UPDATE grants SET role = ?, memory_bytes = ?, weight = ?, sessions = ?, expires_at = ?, told = false,"
                                + " version = version + 1"
                                + " WHERE machine = ? AND sha256 = ? AND version = ? AND revoked_at IS NULL",
                        terms.role(),
                        memory(terms),
                        terms.weight(),
                        sessions(terms),
                        terms.expires(),
                        machine,
                        sha256,
                        version)
                == 1;
    }

    private static Long memory(GrantTerms terms) {
        return terms.memoryBytes().isPresent() ? terms.memoryBytes().getAsLong() : null;
    }

    private static Integer sessions(GrantTerms terms) {
        return terms.sessions().isPresent() ? terms.sessions().getAsInt() : null;
    }

    /** False where there is no such grant, or it is revoked already. */
    public static boolean revoke(Sql sql, UUID machine, String sha256) {
        return sql.update(
                        "UPDATE grants SET revoked_at = outpost_now(), told = false, version = version + 1"
                                + " WHERE machine = ? AND sha256 = ? AND revoked_at IS NULL",
                        machine,
                        sha256)
                == 1;
    }

    /** The machine was told of these as they were. */
    public static void markTold(Sql sql, List<Stored> grants) {
        grants.forEach(grant -> sql.update(
                "UPDATE grants SET told = true WHERE machine = ? AND sha256 = ? AND version = ?",
                grant.machine(),
                grant.sha256(),
                grant.version()));
    }

    public static boolean hasUntold(Sql sql, UUID machine) {
        return sql.one("SELECT 1 FROM grants WHERE machine = ? AND NOT told LIMIT 1", row -> true, machine)
                .isPresent();
    }

    private static Stored read(Sql.Row row) throws SQLException {
        return new Stored(
                row.object("machine", UUID.class),
                row.text("sha256"),
                row.text("owner"),
                terms(row),
                row.time("created_at"),
                row.optionalTime("revoked_at"),
                row.number("version"),
                row.flag("told"));
    }

    private static GrantTerms terms(Sql.Row row) throws SQLException {
        Optional<Long> memory = row.optionalNumber("memory_bytes");
        Optional<Long> sessions = row.optionalNumber("sessions");
        return new GrantTerms(
                Role.valueOf(row.text("role")),
                row.text("account"),
                memory.map(OptionalLong::of).orElse(OptionalLong.empty()),
                row.integer("weight"),
                sessions.map(max -> OptionalInt.of(max.intValue())).orElse(OptionalInt.empty()),
                row.optionalTime("ends_at"));
    }
}
