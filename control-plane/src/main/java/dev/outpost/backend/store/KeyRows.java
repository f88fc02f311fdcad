package dev.outpost.backend.store;

import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.sql.Columns;
import dev.outpost.backend.store.sql.Filter;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.tenant.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table of API keys. It stores only the hashes of secrets. */
public final class KeyRows {
    private KeyRows() {}

    /**
     * A key.
     *
     * @param project the project of the key; empty for a key of all projects
     * @param subject the member whose role bounds it; empty for a key without an owner
     */
    public record Stored(
            String id,
            String organisation,
            Optional<String> project,
            Optional<String> subject,
            String name,
            byte[] hash,
            List<KeyScope> scopes,
            Instant created,
            String createdBy,
            Optional<Instant> expires,
            Optional<Instant> revoked,
            Optional<String> replacedBy,
            long version) {

        /** Makes the row of a key that was drawn. The database sets the time. */
        public static Stored drawn(
                ApiKey key,
                String organisation,
                Optional<String> project,
                Optional<String> subject,
                String name,
                List<KeyScope> scopes,
                String createdBy,
                Optional<Instant> expires) {
            return new Stored(
                    key.id(),
                    organisation,
                    project,
                    subject,
                    name,
                    key.hash(),
                    scopes,
                    Instant.EPOCH,
                    createdBy,
                    expires,
                    Optional.empty(),
                    Optional.empty(),
                    1);
        }

        /** True if the key is neither revoked nor expired at {@code now}. */
        public boolean isValid(Instant now) {
            return revoked.isEmpty()
                    && expires.filter(end -> !now.isBefore(end)).isEmpty();
        }

        Stored withScopes(List<KeyScope> others) {
            return new Stored(
                    id,
                    organisation,
                    project,
                    subject,
                    name,
                    hash,
                    others,
                    created,
                    createdBy,
                    expires,
                    revoked,
                    replacedBy,
                    version);
        }

        @Override
        public String toString() {
            return "Key[" + id + "]";
        }
    }

    /**
     * A key, and the time of the database when it was read.
     *
     * @param roles the roles of the key's member; empty without a member
     */
    public record Found(Stored key, Instant now, List<Role> roles) {

        /** Returns the key with its present scopes; empty if the key is not valid. */
        public Optional<Stored> effective() {
            if (!key.isValid(now)) {
                return Optional.empty();
            }
            List<KeyScope> scopes = key.subject().isEmpty()
                    ? key.scopes()
                    : key.scopes().stream().filter(this::isAllowed).toList();
            return scopes.isEmpty() ? Optional.empty() : Optional.of(key.withScopes(scopes));
        }

        private boolean isAllowed(KeyScope scope) {
            return roles.stream().anyMatch(role -> scopes(role).contains(scope));
        }
    }

    /** Returns the scopes that keys of a role's members may have. */
    public static List<KeyScope> scopes(Role role) {
        return switch (role) {
            case VIEWER -> List.of(KeyScope.READ);
            case DEVELOPER -> List.of(KeyScope.READ, KeyScope.MACHINES);
            case ADMIN -> List.of(KeyScope.READ, KeyScope.MACHINES, KeyScope.ADMIN);
        };
    }

    public static Optional<Found> find(Sql sql, String id) {
        return sql.one(
                "SELECT k.*, outpost_now() AS now, ARRAY(SELECT role FROM members m WHERE m.organisation = k.organisation"
                        + " AND m.subject = k.subject AND m.project IN ('', coalesce(k.project, ''))"
                        + " AND (m.expires_at IS NULL OR m.expires_at > outpost_now())) AS roles"
                        + " FROM keys k WHERE id = ?",
                Found.class,
                id);
    }

    /** Returns the keys of an organisation, or of one of its projects, after an id, ordered by id. */
    public static List<Stored> page(Sql sql, String organisation, Optional<String> project, String after, int limit) {
        Filter filter = Filter.of("organisation = ?", organisation)
                .andIf(project, "project = ?")
                .and("id > ?", after);
        return sql.page(Stored.class, "SELECT * FROM keys", filter, "id", limit);
    }

    /** Returns all keys of a project, ordered by id. */
    public static List<Stored> ofProject(Sql sql, String organisation, String project) {
        return sql.query(
                "SELECT * FROM keys WHERE organisation = ? AND project = ? ORDER BY id",
                Stored.class,
                organisation,
                project);
    }

    /** Adds a key. Returns false if the id is taken. */
    public static boolean add(Sql sql, Stored key) {
        return sql.insert(
                        "keys",
                        Columns.of(
                                key, "id, organisation, project, subject, name, hash, scopes, created_by, expires_at"),
                        "ON CONFLICT (id) DO NOTHING")
                == 1;
    }

    /** Changes a key over its previous version. Returns false if the row has another version now. */
    public static boolean change(
            Sql sql, Stored previous, String name, List<KeyScope> scopes, Optional<Instant> expires) {
        return sql.update(
                        "UPDATE keys SET name = ?, scopes = ?, expires_at = ?, version = version + 1"
                                + " WHERE id = ? AND version = ?",
                        name,
                        scopes,
                        expires,
                        previous.id(),
                        previous.version())
                == 1;
    }

    /** True if there is a valid key with the operator's scope. */
    public static boolean hasOperator(Sql sql) {
        return sql.exists("SELECT 1 FROM keys WHERE 'OPERATOR' = ANY (scopes) AND revoked_at IS NULL"
                + " AND (expires_at IS NULL OR expires_at > outpost_now()) LIMIT 1");
    }

    /** Locks a key, so that no other transaction changes it. */
    public static void lock(Sql sql, String id) {
        sql.exists("SELECT 1 FROM keys WHERE id = ? FOR NO KEY UPDATE", id);
    }

    /** Revokes a key. Returns false if it was revoked before or does not exist. */
    public static boolean revoke(Sql sql, String organisation, String id) {
        return sql.update(
                        "UPDATE keys SET revoked_at = outpost_now(), version = version + 1"
                                + " WHERE organisation = ? AND id = ? AND revoked_at IS NULL",
                        organisation,
                        id)
                == 1;
    }

    /** Revokes the key of a login. Returns false if the key was not made by a login. */
    public static boolean revokeLogin(Sql sql, String organisation, String id) {
        return sql.update(
                        "UPDATE keys SET revoked_at = outpost_now(), version = version + 1"
                                + " WHERE organisation = ? AND id = ? AND revoked_at IS NULL AND created_by = subject",
                        organisation,
                        id)
                == 1;
    }

    /** Removes keys of logins that expired or were revoked long ago. The audit log still shows who logged in. */
    public static Retention.Step forgetLogins(Sql sql, Retention.Span span) {
        return Retention.remove(sql, "keys", "created_by = subject", "least(expires_at, revoked_at)", span);
    }

    /** Marks a key as replaced by another key. The old key stays valid until {@code until}. */
    public static void replace(Sql sql, String id, String by, Instant until) {
        sql.update(
                "UPDATE keys SET replaced_by = ?, expires_at = least(coalesce(expires_at, ?), ?), version = version + 1"
                        + " WHERE id = ?",
                by,
                until,
                until,
                id);
    }
}
