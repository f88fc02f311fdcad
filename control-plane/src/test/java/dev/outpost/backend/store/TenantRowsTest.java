package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.store.sql.Sql;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Nothing of a removed organisation or project is left for another one of its name. */
class TenantRowsTest {
    /**
     * The tables with the name of an organisation whose rows go with others: with machines, deployments, files, projects. Audit records
     * stay, and a new organisation of the same name does not see them.
     */
    private static final List<String> OF_OTHERS = List.of(
            "projects",
            "audit",
            "events",
            "usages",
            "deployment_revisions",
            "replicas",
            "gateway_demands",
            "files",
            "contents",
            "programs",
            "use_samples");

    @Test
    void removalCoversEachTableWithTheNameOfAnOrganisation() {
        try (TestDatabase test = TestDatabase.create()) {
            List<String> tables = test.database()
                    .transact(sql -> sql.query(
                            "SELECT DISTINCT c.table_name FROM information_schema.columns c JOIN information_schema.tables t"
                                    + " USING (table_schema, table_name) WHERE c.table_schema = 'public'"
                                    + " AND c.column_name = 'organisation' AND t.table_type = 'BASE TABLE'",
                            String.class));
            List<String> known = Stream.of(
                            TenantRows.RECORDS, TenantRows.SETTINGS, TenantRows.OF_ORGANISATION, OF_OTHERS)
                    .flatMap(List::stream)
                    .toList();
            assertEquals(new TreeSet<>(known), new TreeSet<>(tables), "say what happens to its rows in TenantRows");
        }
    }

    private static List<String> actions(Sql sql, String organisation) {
        return AuditRows.page(sql, organisation, Long.MAX_VALUE, 100).stream()
                .map(AuditRows.Stored::action)
                .toList();
    }

    @Test
    void organisationDoesNotShowTheAuditRecordsOfARemovedOne() {
        try (TestDatabase test = TestDatabase.create()) {
            test.database().run(sql -> {
                TenantRows.addOrganisation(sql, "lab");
                TenantRows.addProject(sql, "lab", TenantRows.FIRST_PROJECT, 0);
                AuditRows.add(sql, "lab", "key", "member.set", "ada@example.org", "ADMIN of the organisation");
                assertEquals(List.of("member.set"), actions(sql, "lab"));
                assertTrue(TenantRows.removeOrganisation(sql, "lab"));
                TenantRows.addOrganisation(sql, "lab");
                assertEquals(List.of(), actions(sql, "lab"));
                AuditRows.add(sql, "lab", "key", "key.create", "ci", "");
                assertEquals(List.of("key.create"), actions(sql, "lab"));
            });
        }
    }

    private static long rows(Sql sql, String table, String project) {
        return sql.one(
                        "SELECT count(*) AS rows FROM " + table + " WHERE organisation = 'acme' AND project = ?",
                        Long.class,
                        project)
                .orElseThrow();
    }

    /** The machines of a project were removed because of their age; their costs count for the organisation's lifetime budgets. */
    @Test
    void projectDoesNotBeginWithTheUseOfARemovedOne() {
        try (TestDatabase test = TestDatabase.create().withProjects("vision", "audio")) {
            test.database().run(sql -> {
                for (String project : List.of("", "vision", "audio")) {
                    sql.update(
                            "INSERT INTO totals (organisation, project, key_id, gpu, period, begins, nanos)"
                                    + " VALUES ('acme', ?, '', '', 'LIFETIME', '1970-01-01 00:00:00+00', 5)",
                            project);
                }
                sql.update("INSERT INTO fair_shares (organisation, project, seconds, at)"
                        + " VALUES ('acme', 'vision', 5, outpost_now())");
                assertTrue(TenantRows.removeProject(sql, "acme", "vision"));
                TenantRows.addProject(sql, "acme", "vision", 0);
                assertEquals(0, rows(sql, "totals", "vision") + rows(sql, "fair_shares", "vision"));
                assertEquals(2, rows(sql, "totals", "") + rows(sql, "totals", "audio"));
            });
        }
    }
}
