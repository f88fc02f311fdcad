package dev.outpost.backend;

import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.store.AuditRows;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.tenant.KeyScope;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The first contents of a new database: an organisation, a project, a key for the administrator, this host as a
 * cluster.
 */
@Singleton
final class Bootstrap {
    private static final String ACTOR = "bootstrap";

    private final BackendConfig config;
    private final Database database;

    Bootstrap(BackendConfig config, Database database) {
        this.config = config;
        this.database = database;
    }

    /**
     * Creates the contents that do not exist yet. Runs at every start.
     *
     * @return the administrator's key, if this process knows it
     */
    Optional<ApiKey> run() throws IOException {
        database.run(Bootstrap::addTenant);
        Optional<ApiKey> key = config.adminKey().isPresent() ? configuredKey() : keptKey();
        key.ifPresent(known -> database.run(sql -> addKey(sql, known)));
        if (key.isEmpty() && !database.transact(Bootstrap::hasOperator)) {
            throw new IOException("admin-key: nobody could administrate this backend; set OUTPOST_BACKEND_ADMIN_KEY to "
                    + "op_<10 letters or digits>_<43 random letters or digits>");
        }
        if (config.local().enabled()) {
            String name = hostName();
            database.run(sql -> ClusterRows.add(sql, localCluster(name)));
        }
        return key;
    }

    private static void addTenant(Sql sql) {
        TenantRows.addOrganisation(sql, TenantRows.OPERATOR);
        TenantRows.addProject(sql, TenantRows.OPERATOR, TenantRows.FIRST_PROJECT, 0);
    }

    private Optional<ApiKey> configuredKey() {
        String text = config.adminKey().orElseThrow();
        return Optional.of(ApiKey.parse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "admin-key: expected op_<10 letters or digits>_<40 to 64 letters, digits or dashes>, got something"
                                + " else")));
    }

    /** Returns the key in the file of the data folder, which only the user can read; empty without a folder. */
    private Optional<ApiKey> keptKey() throws IOException {
        if (config.data().isEmpty()) {
            return Optional.empty();
        }
        Path file = config.data().get().resolve("admin-key");
        return ApiKey.parse(PersistedSecret.of(
                        file, () -> ApiKey.draw(new SecureRandom()).text()))
                .or(() -> {
                    throw new IllegalArgumentException(
                            "admin-key: " + file + " holds no key; remove it, and another one is drawn");
                });
    }

    private static void addKey(Sql sql, ApiKey key) {
        boolean isNew = KeyRows.add(
                sql,
                KeyRows.Stored.drawn(
                        key,
                        TenantRows.OPERATOR,
                        Optional.empty(),
                        Optional.empty(),
                        "administrator",
                        List.of(KeyScope.values()),
                        ACTOR,
                        Optional.empty()));
        if (isNew) {
            AuditRows.add(
                    sql,
                    TenantRows.OPERATOR,
                    ACTOR,
                    "key.create",
                    key.id(),
                    "the administrator's key, with every scope");
        }
    }

    private static boolean hasOperator(Sql sql) {
        return KeyRows.hasOperator(sql);
    }

    private ClusterRows.Stored localCluster(String name) {
        Map<String, String> options = config.data()
                .map(folder -> Map.of("state", folder.resolve("machines").toString()))
                .orElse(Map.of());
        return ClusterRows.Stored.active(
                name, "process", List.of(), OptionalInt.of(config.local().machines()), options);
    }

    private static String hostName() {
        try {
            String name = InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
            String slug = name.replaceAll("[^a-z0-9-]", "-").replaceAll("^-+|-+$", "");
            return slug.isEmpty() ? "this-host" : slug.substring(0, Math.min(40, slug.length()));
        } catch (IOException ignored) {
            return "this-host";
        }
    }
}
