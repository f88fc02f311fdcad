package dev.outpost.system.backend.host;

import dev.outpost.provider.outpost.OutpostProvider;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.AotCache;
import dev.outpost.support.tests.Await;
import dev.outpost.system.server.RuntimeCommandLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A backend as it is shipped, in a separate process, whose machines are runtime processes on this host. */
public final class BackendHost implements AutoCloseable {
    private static final String LAST_LINE = "dashboard";

    /** Of the file by which a PostgreSQL marks its folder as taken. */
    private static final int PORT_LINE = 3;

    private final Process process;
    private final Map<String, String> said;
    private final Path errors;
    private final boolean isOwner;
    /** The folder of its machines; they end with the backend if a test has left them. */
    private final Optional<Path> machines;

    private BackendHost(
            Process process, Map<String, String> said, Path errors, boolean isOwner, Optional<Path> machines) {
        this.process = process;
        this.said = said;
        this.errors = errors;
        this.isOwner = isOwner;
        this.machines = machines;
    }

    /** The same backend as a new organisation; closing that stops nothing. */
    public BackendHost tenant(String organisation) {
        Map<String, String> own = new LinkedHashMap<>(said);
        own.put(
                "key",
                client().post("/v1/organisations", Map.of("name", organisation))
                        .path("key")
                        .asText());
        return new BackendHost(process, own, errors, false, Optional.empty());
    }

    /** Starts a backend that keeps its data in the folder, including its database. */
    public static BackendHost start(Path folder, String... variables) {
        UnpackedPostgres.lend(folder);
        return start(folder, List.of("--port", "0", "--data", folder.toString()), variables);
    }

    /** Starts such a backend of another version. */
    public static BackendHost ofJar(Path jar, Path folder, String... variables) {
        UnpackedPostgres.lend(folder);
        return start(jar.toString(), folder, List.of("--port", "0", "--data", folder.toString()), variables);
    }

    /** The address of the database that a backend with this folder has started. */
    public record DatabaseAccess(String url, String user, String password) {
        public static DatabaseAccess of(Path folder) throws IOException {
            Path postgres = folder.resolve("postgres");
            String port = Files.readAllLines(postgres.resolve("database").resolve("postmaster.pid"))
                    .get(PORT_LINE)
                    .strip();
            return new DatabaseAccess(
                    "jdbc:postgresql://127.0.0.1:" + port + "/outpost",
                    "outpost",
                    Files.readString(postgres.resolve("database-password")).strip());
        }
    }

    /** Starts another replica on the database that the first one has started. */
    public static BackendHost beside(BackendHost first, Path folder, Path firstFolder, String... variables) {
        try {
            List<String> all = new ArrayList<>(List.of(variables));
            DatabaseAccess database = DatabaseAccess.of(firstFolder);
            all.addAll(List.of("OUTPOST_BACKEND_DATABASE_URL", database.url()));
            all.addAll(List.of("OUTPOST_BACKEND_DATABASE_USER", database.user()));
            all.addAll(List.of("OUTPOST_BACKEND_DATABASE_PASSWORD", database.password()));
            all.addAll(List.of("OUTPOST_BACKEND_ADMIN_KEY", first.access().key()));
            all.addAll(List.of(
                    "OUTPOST_BACKEND_SEAL_KEY",
                    Files.readString(firstFolder.resolve("seal-key")).strip()));
            BackendHost other = start(folder, List.of("--port", "0"), all.toArray(String[]::new));
            other.said.put("key", first.access().key());
            return other;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static BackendHost start(Path folder, List<String> arguments, String... variables) {
        return start(System.getProperty("outpost.backend.jar"), folder, arguments, variables);
    }

    private static BackendHost start(String jar, Path folder, List<String> arguments, String... variables) {
        try {
            Path errors = Files.createTempFile(Files.createDirectories(folder), "backend", ".log");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx384m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC"));
            command.addAll(cache(Path.of(jar)));
            command.addAll(List.of("-jar", jar));
            command.addAll(arguments);
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
            builder.environment().putAll(runtime());
            for (int i = 0; i < variables.length; i += 2) {
                builder.environment().put(variables[i], variables[i + 1]);
            }
            Process process = builder.start();
            // Machines of an earlier version live on, for tests of the later one.
            Optional<Path> machines = Optional.of(folder.resolve("machines"))
                    .filter(ignored -> jar.equals(System.getProperty("outpost.backend.jar")));
            BackendHost host = new BackendHost(process, announced(process, errors), errors, true, machines);
            UnpackedPostgres.keep(folder);
            return host;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<String> cache(Path jar) {
        try {
            Path folder = Files.createTempDirectory("outpost-trained-backend");
            try {
                return AotCache.options(
                        jar,
                        new AotCache.Training(
                                List.of("-Xmx384m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                                List.of("--port", "0", "--data", folder.toString()),
                                LAST_LINE,
                                lines -> UnpackedPostgres.keep(folder)));
            } finally {
                UnpackedPostgres.delete(folder);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Map<String, String> runtime() {
        return Map.of(
                "OUTPOST_PROCESS_JAR", RuntimeCommandLine.jar().toString(),
                "OUTPOST_PROCESS_FLAGS", String.join(" ", RuntimeCommandLine.flags()),
                "OUTPOST_PROCESS_READABLE", RuntimeCommandLine.readable());
    }

    private static Map<String, String> announced(Process process, Path errors) throws IOException {
        Map<String, String> said = new LinkedHashMap<>();
        BufferedReader lines = process.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split("\\s+", 2);
            said.put(parts[0], parts[1]);
            if (parts[0].equals(LAST_LINE)) {
                return said;
            }
        }
        throw new AssertionError("the backend did not start:\n" + Files.readString(errors));
    }

    public BackendAccess access() {
        return BackendAccess.of(said.get("api"), said.get("key"));
    }

    public OutpostProvider provider() {
        return new OutpostProvider(this::access);
    }

    public long pid() {
        return process.pid();
    }

    public BackendClient client() {
        return new BackendClient(access());
    }

    public String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Kills the process as {@code kill -9} does; its database keeps running. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Shuts the backend down, unless another owner shares it. */
    @Override
    public void close() {
        if (!isOwner) {
            return;
        }
        process.destroy();
        try {
            Await.ended("the backend, which said:\n" + errors(), process);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            kill();
            machines.filter(Files::isDirectory).ifPresent(BackendHost::endMachines);
        }
    }

    /** Ends processes that outlive their backend, as they do on a real host. */
    private static void endMachines(Path machines) {
        try (Stream<Path> files = Files.walk(machines, 2)) {
            for (Path file : files.filter(file -> List.of("process", "runner")
                            .contains(file.getFileName().toString()))
                    .toList()) {
                String pid = Files.readAllLines(file).getFirst();
                ProcessHandle.of(Long.parseLong(pid))
                        .filter(process -> process.info()
                                .commandLine()
                                .filter(command -> command.contains(
                                        RuntimeCommandLine.jar().getFileName().toString()))
                                .isPresent())
                        .ifPresent(process -> {
                            process.descendants().forEach(ProcessHandle::destroyForcibly);
                            process.destroyForcibly();
                        });
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
