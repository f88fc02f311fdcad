package dev.outpost.backend.store;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of grants: whose tokens open a machine, by their hashes. */
public final class GrantRows {
    private GrantRows() {}

    /**
     * A grant.
     *
     * @param sha256 the token's hash, in hex
     * @param told whether the machine was told of it, or of its end
     */
    public record Stored(
            UUID machine,
            String sha256,
            String owner,
            Instant created,
            Optional<Instant> expires,
            Optional<Instant> revoked,
            boolean told) {}

    public static List<Stored> of(Sql sql, UUID machine) {
        return sql.query(
                "SELECT * FROM grants WHERE machine = ? ORDER BY created_at, sha256", GrantRows::read, machine);
    }

    /** False where the machine has that grant already. */
    public static boolean add(Sql sql, UUID machine, String sha256, String owner, Optional<Instant> expires) {
        return sql.update(
                        "INSERT INTO grants (machine, sha256, owner, expires_at, told) VALUES (?, ?, ?, ?, false)"
                                + " ON CONFLICT (machine, sha256) DO NOTHING",
                        machine,
                        sha256,
                        owner,
                        expires)
                == 1;
    }

    /** False where there is no such grant, or it is revoked already. */
    public static boolean revoke(Sql sql, UUID machine, String sha256) {
        return sql.update(
                        "UPDATE grants SET revoked_at = outpost_now(), told = false"
                                + " WHERE machine = ? AND sha256 = ? AND revoked_at IS NULL",
                        machine,
                        sha256)
                == 1;
    }

    /** The machine was told of these as they were. */
    public static void markTold(Sql sql, List<Stored> grants) {
        grants.forEach(grant -> sql.update(
                "UPDATE grants SET told = true WHERE machine = ? AND sha256 = ? AND revoked_at IS NOT DISTINCT FROM ?",
                grant.machine(),
                grant.sha256(),
                grant.revoked()));
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
                row.time("created_at"),
                row.optionalTime("expires_at"),
                row.optionalTime("revoked_at"),
                row.flag("told"));
    }
}
