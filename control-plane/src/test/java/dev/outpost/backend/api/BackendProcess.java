package dev.outpost.backend.api;

import dev.outpost.backend.model.ApiKey;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.provider.fleet.PaperSupplier;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A backend in a separate process, on a database of this JVM's server, with a cluster whose machines are ready at once. */
final class BackendProcess implements AutoCloseable {
    /** Returns the shared backend, for tests that create their own organisations. */
    private static final class Shared {
        static final TestIssuer ISSUER = TestIssuer.start();
        static final BackendProcess BACKEND = start(TestDatabase.withRealClock());

        static {
            TestDatabase.beforeTheEnd(BACKEND::close);
        }
    }

    static final ApiKey ADMIN = ApiKey.draw(new SecureRandom());

    private final TestDatabase database;
    private final Process process;
    private final String address;
    private final Path errors;

    private BackendProcess(TestDatabase database, Process process, String address, Path errors) {
        this.database = database;
        this.process = process;
        this.address = address;
        this.errors = errors;
    }

    static BackendProcess shared() {
        return Shared.BACKEND;
    }

    /** Returns the issuer of its logins. */
    static TestIssuer issuer() {
        return Shared.ISSUER;
    }

    /** Starts a backend that closes the database when it is closed. */
    static BackendProcess start(TestDatabase database) {
        return start(database, Map.of());
    }

    /** @param settings further variables of its environment */
    static BackendProcess start(TestDatabase database, Map<String, String> settings) {
        try {
            Path errors = Files.createTempFile("outpost-backend", ".log");
            ProcessBuilder builder = new ProcessBuilder(
                            System.getProperty("java.home") + "/bin/java",
                            "-Xmx384m",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            // The same options as in the manifest of the jar.
                            "--add-opens=java.base/java.lang=ALL-UNNAMED",
                            "-cp",
                            classPath(),
                            "dev.outpost.backend.BackendMain")
                    .redirectError(errors.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
            builder.environment().putAll(variables(database));
            builder.environment().putAll(settings);
            Process process = builder.start();
            return new BackendProcess(database, process, address(process, errors), errors);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Map<String, String> variables(TestDatabase database) {
        return Map.ofEntries(
                Map.entry("OUTPOST_BACKEND_PORT", "0"),
                Map.entry("OUTPOST_BACKEND_SEAL_KEY", SealKeys.draw(new SecureRandom())),
                Map.entry("OUTPOST_BACKEND_PRIVATE_ENDPOINTS", "127.0.0.0/8"),
                Map.entry("OUTPOST_BACKEND_OIDC_ISSUER", Shared.ISSUER.address()),
                Map.entry(
                        "OUTPOST_BACKEND_OIDC_ROLES",
                        "developers=default:DEVELOPER,admins=default:ADMIN,vision=default/vision:DEVELOPER,"
                                + "speech=default/speech:VIEWER,partners=partners:DEVELOPER"),
                Map.entry("OUTPOST_BACKEND_BUDGET_HORIZON", "20s"),
                Map.entry("OUTPOST_BACKEND_BUDGET_EVERY", "1s"),
                Map.entry("OUTPOST_BACKEND_DATABASE_URL", database.url()),
                Map.entry("OUTPOST_BACKEND_DATABASE_USER", TestDatabase.user()),
                Map.entry("OUTPOST_BACKEND_DATABASE_PASSWORD", TestDatabase.password()),
                Map.entry("OUTPOST_BACKEND_ADMIN_KEY", ADMIN.text()),
                Map.entry("OUTPOST_BACKEND_LOCAL_ENABLED", "false"),
                Map.entry("OUTPOST_BACKEND_OBSERVE_EVERY", "1s"));
    }

    /** The class path: the shipped program, and the supplier of these tests. */
    private static String classPath() {
        return String.join(
                File.pathSeparator,
                System.getProperty("outpost.backend.jar"),
                place(ReadyPaper.class),
                place(PaperSupplier.class));
    }

    private static String place(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    private static String address(Process process, Path errors) throws IOException {
        BufferedReader lines = process.inputReader();
        String address = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("api ")) {
                address = line.substring("api ".length()).strip();
            }
            if (line.startsWith("dashboard ")) {
                return address;
            }
        }
        throw new AssertionError("the backend did not start:\n" + Files.readString(errors));
    }

    String address() {
        return address;
    }

    /** Expires the roles that a person got from groups. */
    void expireMember(String subject) {
        database.database()
                .run(sql -> sql.update(
                        "UPDATE members SET expires_at = outpost_now() - interval '1 second' WHERE subject = ?"
                                + " AND expires_at IS NOT NULL",
                        subject));
    }

    void execute(String statement) {
        database.database().run(sql -> sql.update(statement));
    }

    /** Creates the state of an older version, which shared the keys of requests among all projects. */
    void keepAnswersAsBefore(String organisation) {
        database.database()
                .run(sql -> sql.update(
                        "UPDATE idempotency SET key = substr(key, 2) WHERE organisation = ? AND key LIKE '/%'",
                        organisation));
    }

    /** Copies a deployment without regard to the limit of deployments. */
    void copyDeployment(String organisation, String name, int copies) {
        database.database()
                .run(sql -> sql.update(
                        "INSERT INTO deployments (organisation, project, name, min, max, target, idle, revision, wanted, busy_at,"
                                + " text, due_at) SELECT organisation, project, name || '-' || n, min, max, target, idle, revision, 0,"
                                + " busy_at, text, outpost_now() + interval '1 day' FROM deployments, generate_series(1, ?) AS n WHERE organisation = ? AND name = ?",
                        copies,
                        organisation,
                        name));
    }

    /** Simulates the removal of events up to a position. */
    void moveHorizon(long transaction) {
        database.database()
                .run(sql -> sql.update("UPDATE event_horizon SET xid = ?::text::xid8", Long.toString(transaction)));
    }

    /** Returns all rows of all tables as texts. */
    List<String> rows() {
        return database.database().transact(sql -> {
            List<String> tables = sql.query(
                    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
                    row -> row.text("table_name"));
            return tables.stream()
                    .flatMap(table -> sql
                            .query("SELECT t::text AS line FROM " + table + " t", row -> table + " " + row.text("line"))
                            .stream())
                    .toList();
        });
    }

    /** Returns the machines that were claimed from a pool: the id, a space, and the id by which the cluster knows the machine. */
    List<String> claimed() {
        return database.database()
                .transact(sql -> sql.query(
                        "SELECT id || ' ' || member AS line FROM machines WHERE member IS NOT NULL",
                        row -> row.text("line")));
    }

    /** The text of its log. */
    String log() {
        try {
            return Files.readString(errors);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        stop();
        database.close();
    }

    /** Ends the process; its database keeps running. */
    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
        }
    }
}
