package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Filter;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.tenant.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The tables of organisations, projects and members. */
public final class TenantRows {
    /** The operator's organisation, which each database has from the beginning. */
    public static final String OPERATOR = "default";

    /** The project that each organisation has from the beginning, and the default project of requests. */
    public static final String FIRST_PROJECT = "default";

    private TenantRows() {}

    public record Project(
            String organisation,
            String name,
            int priority,
            Instant created,
            Optional<Instant> archived,
            long version) {}

    /** A condition on members: the membership has not expired. */
    static final String CURRENT = " AND (expires_at IS NULL OR expires_at > outpost_now())";

    /** The tables with records of a project, which stay. An interval of use belongs to a machine of the same project. */
    static final List<String> RECORDS = List.of(
            "machines",
            "jobs",
            "schedules",
            "deployments",
            "secrets",
            "webhooks",
            "usage_days",
            "token_usages",
            "forgotten_costs");

    /**
     * The tables with settings of a project, and with sums over records that were removed because of their age. A project of
     * the same name must not begin with them.
     */
    static final List<String> SETTINGS =
            List.of("members", "keys", "quotas", "quota_counters", "quota_changes", "budgets", "totals", "fair_shares");

    /** The tables whose rows are removed with an organisation. */
    static final List<String> OF_ORGANISATION = List.of("webhooks", "token_batches", "idempotency");

    private static final String MEMBERS =
            "SELECT organisation, nullif(project, '') AS project, subject, role, created_at,"
                    + " expires_at, version FROM members m";

    /**
     * A person in an organisation, or in one of its projects.
     *
     * @param expires when the membership ends; present if an issuer's groups made it
     */
    public record Member(
            String organisation,
            Optional<String> project,
            String subject,
            Role role,
            Instant created,
            Optional<Instant> expires,
            long version) {}

    public static boolean hasOrganisation(Sql sql, String name) {
        return sql.exists("SELECT 1 FROM organisations WHERE name = ?", name);
    }

    /**
     * Adds an organisation. Returns false if the name is taken. Acts of a removed organisation of this name are not part of
     * its audit log.
     */
    public static boolean addOrganisation(Sql sql, String name) {
        return sql.update(
                        "INSERT INTO organisations (name, acts_before) VALUES (?, (SELECT coalesce(max(seq), 0) FROM audit"
                                + " WHERE organisation = ?)) ON CONFLICT (name) DO NOTHING",
                        name,
                        name)
                == 1;
    }

    /** Returns the organisations after a name, ordered by name. */
    public static List<String> organisations(Sql sql, String after, int limit) {
        return sql.query(
                "SELECT name FROM organisations WHERE name > ? ORDER BY name LIMIT ?", String.class, after, limit);
    }

    public static Optional<Project> project(Sql sql, String organisation, String name) {
        return sql.one("SELECT * FROM projects WHERE organisation = ? AND name = ?", Project.class, organisation, name);
    }

    /** Returns the projects of an organisation, or only the project {@code only}, after a name, ordered by name. */
    public static List<Project> projects(Sql sql, String organisation, Optional<String> only, String after, int limit) {
        return sql.page(
                Project.class,
                "SELECT * FROM projects",
                Filter.of("organisation = ?", organisation)
                        .andIf(only, "name = ?")
                        .and("name > ?", after),
                "name",
                limit);
    }

    /** Adds a project. Returns false if the name is taken. */
    public static boolean addProject(Sql sql, String organisation, String name, int priority) {
        return sql.update(
                        "INSERT INTO projects (organisation, name, priority) VALUES (?, ?, ?)"
                                + " ON CONFLICT (organisation, name) DO NOTHING",
                        organisation,
                        name,
                        priority)
                == 1;
    }

    public static int countProjects(Sql sql, String organisation) {
        return sql.one(
                        "SELECT count(*)::int AS projects FROM projects WHERE organisation = ?",
                        Integer.class,
                        organisation)
                .orElse(0);
    }

    /** Writes a project over its previous version. Returns false if the row has another version now. */
    public static boolean updateProject(Sql sql, Project project) {
        return sql.update(
                        "UPDATE projects SET priority = ?, archived_at = ?, version = version + 1"
                                + " WHERE organisation = ? AND name = ? AND version = ?",
                        project.priority(),
                        project.archived(),
                        project.organisation(),
                        project.name(),
                        project.version())
                == 1;
    }

    /** Locks a project, so that nothing that names it is written before the end of the transaction. */
    public static void lockProject(Sql sql, String organisation, String name) {
        sql.exists("SELECT 1 FROM projects WHERE organisation = ? AND name = ? FOR UPDATE", organisation, name);
    }

    /**
     * Removes a project with its members, keys, quotas and budgets. Returns false if a record of a machine, a job, a
     * deployment, a secret, a webhook or a cost names the project, because such records stay, or if a gateway may still
     * bill one of its keys.
     */
    public static boolean removeProject(Sql sql, String organisation, String name) {
        // Locks the row first, so that a record that is being written counts or waits.
        lockProject(sql, organisation, name);
        boolean isRecorded = RECORDS.stream()
                .anyMatch(table -> sql.exists(
                        "SELECT 1 FROM " + table + " WHERE organisation = ? AND project = ? LIMIT 1",
                        organisation,
                        name));
        if (isRecorded || isBilled(sql, organisation, Optional.of(name))) {
            return false;
        }
        SETTINGS.forEach(table ->
                sql.update("DELETE FROM " + table + " WHERE organisation = ? AND project = ?", organisation, name));
        return sql.update("DELETE FROM projects WHERE organisation = ? AND name = ?", organisation, name) == 1;
    }

    /** True if a gateway was shown a key of an organisation, or of one of its projects, and may still bill it. */
    private static boolean isBilled(Sql sql, String organisation, Optional<String> project) {
        String keys = "SELECT 1 FROM shown_keys s JOIN keys k ON k.id = s.key_id WHERE k.organisation = ?";
        return project.map(name -> sql.exists(keys + " AND k.project = ? LIMIT 1", organisation, name))
                .orElseGet(() -> sql.exists(keys + " LIMIT 1", organisation));
    }

    /**
     * Removes an organisation with its projects, members, keys, quotas, budgets and webhooks. Returns false if the
     * records of a project or a stored file name it, or if a gateway may still bill one of its keys; the caller rolls
     * back then.
     */
    public static boolean removeOrganisation(Sql sql, String name) {
        sql.exists("SELECT 1 FROM organisations WHERE name = ? FOR UPDATE", name);
        List<String> projects =
                sql.query("SELECT name FROM projects WHERE organisation = ? ORDER BY name", String.class, name);
        if (sql.exists("SELECT 1 FROM files WHERE organisation = ? LIMIT 1", name)
                || isBilled(sql, name, Optional.empty())
                || !projects.stream().allMatch(project -> removeProject(sql, name, project))) {
            return false;
        }
        Stream.concat(SETTINGS.stream(), OF_ORGANISATION.stream())
                .forEach(table -> sql.update("DELETE FROM " + table + " WHERE organisation = ?", name));
        return sql.update("DELETE FROM organisations WHERE name = ?", name) == 1;
    }

    /** Returns the members of an organisation, or of one of its projects, after a position, ordered by project and subject. */
    public static List<Member> members(
            Sql sql, String organisation, Optional<String> only, String afterProject, String afterSubject, int limit) {
        return sql.page(
                Member.class,
                MEMBERS,
                Filter.of("organisation = ?" + CURRENT, organisation)
                        .andIf(only, "project = ?")
                        .and("(m.project, subject) > (?, ?)", afterProject, afterSubject),
                "m.project, subject",
                limit);
    }

    public static Optional<Member> member(Sql sql, String organisation, Optional<String> project, String subject) {
        return sql.one(
                MEMBERS + " WHERE organisation = ? AND project = ? AND subject = ?" + CURRENT,
                Member.class,
                organisation,
                project.orElse(""),
                subject);
    }

    /** Returns the roles of a member in the organisation, and in a project. */
    public static List<Role> roles(Sql sql, String organisation, Optional<String> project, String subject) {
        return sql.query(
                "SELECT role FROM members WHERE organisation = ? AND project IN ('', ?) AND subject = ?" + CURRENT,
                Role.class,
                organisation,
                project.orElse(""),
                subject);
    }

    /**
     * Makes a person a member, or changes the role.
     *
     * @param version the version that is changed; 0 if there must be no such member yet; empty to change any version
     * @return false if the member has another version
     */
    public static boolean setMember(
            Sql sql, String organisation, Optional<String> project, String subject, Role role, Optional<Long> version) {
        if (version.filter(known -> known > 0).isPresent()) {
            return sql.update(
                            "UPDATE members SET role = ?, expires_at = NULL, version = version + 1 WHERE organisation = ? AND project = ?"
                                    + " AND subject = ? AND version = ?",
                            role,
                            organisation,
                            project.orElse(""),
                            subject,
                            version)
                    == 1;
        }
        String conflict = version.isPresent()
                ? "DO UPDATE SET role = excluded.role, expires_at = NULL, version = m.version + 1"
                        + " WHERE m.expires_at <= outpost_now()"
                : "DO UPDATE SET role = excluded.role, expires_at = NULL, version = m.version + 1";
        return sql.update(
                        "INSERT INTO members AS m (organisation, project, subject, role) VALUES (?, ?, ?, ?)"
                                + " ON CONFLICT (organisation, project, subject) " + conflict,
                        organisation,
                        project.orElse(""),
                        subject,
                        role)
                == 1;
    }

    /** Makes a person a member until {@code end}, because of an issuer's groups, or changes the role. */
    public static void setMemberUntil(
            Sql sql, String organisation, Optional<String> project, String subject, Role role, Instant end) {
        sql.update(
                "INSERT INTO members AS m (organisation, project, subject, role, expires_at) VALUES (?, ?, ?, ?, ?)"
                        + " ON CONFLICT (organisation, project, subject) DO UPDATE SET role = excluded.role,"
                        + " expires_at = excluded.expires_at, version = m.version + 1",
                organisation,
                project.orElse(""),
                subject,
                role,
                end);
    }

    /**
     * Removes a member.
     *
     * @param version the version that is removed; empty to remove any version
     * @return false if there is no such member of this version
     */
    public static boolean removeMember(
            Sql sql, String organisation, Optional<String> project, String subject, Optional<Long> version) {
        return sql.update(
                        "DELETE FROM members WHERE organisation = ? AND project = ? AND subject = ?"
                                + " AND version = coalesce(?, version)",
                        organisation,
                        project.orElse(""),
                        subject,
                        version)
                == 1;
    }
}
