package dev.outpost.bench.backend;

import dev.outpost.bench.process.ProgramProcess;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A backend in a separate process, started like by the launcher. */
final class MeasuredBackend implements AutoCloseable {
    private static final int PORT_LINE = 3;

    private final Process process;
    private final Map<String, String> said;

    private MeasuredBackend(Process process, Map<String, String> said) {
        this.process = process;
        this.said = said;
    }

    /** Starts a backend with its own database in the folder. */
    static MeasuredBackend start(Path folder, String... variables) throws IOException {
        return start(folder, List.of("--data", folder.toString()), variables);
    }

    /** Starts another replica on the database of an earlier one. */
    static MeasuredBackend beside(MeasuredBackend first, Path folder, String... variables) throws IOException {
        Path postgres = folder.resolve("postgres");
        String port = Files.readAllLines(postgres.resolve("database").resolve("postmaster.pid"))
                .get(PORT_LINE)
                .strip();
        List<String> all = new ArrayList<>(List.of(variables));
        all.addAll(List.of(
                "OUTPOST_BACKEND_DATABASE_URL",
                "jdbc:postgresql://127.0.0.1:" + port + "/outpost",
                "OUTPOST_BACKEND_DATABASE_USER",
                "outpost",
                "OUTPOST_BACKEND_DATABASE_PASSWORD",
                Files.readString(postgres.resolve("database-password")).strip(),
                "OUTPOST_BACKEND_ADMIN_KEY",
                first.key()));
        MeasuredBackend other = start(folder, List.of(), all.toArray(String[]::new));
        other.said.put("key", first.key());
        return other;
    }

    private static MeasuredBackend start(Path folder, List<String> arguments, String... variables) throws IOException {
        Files.createDirectories(folder);
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                // The same flags as in the manifest of the jar, which does not apply here.
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                String.join(
                        File.pathSeparator,
                        System.getProperty("outpost.backend.jar"),
                        place(FakeMachineSupplier.class),
                        place(PaperSupplier.class)),
                "dev.outpost.backend.BackendMain",
                "--port",
                "0"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("backend.log").toFile()));
        builder.environment().keySet().removeIf(ofBackend());
        builder.environment().put("OUTPOST_BACKEND_RATE_LIMIT", "1000000");
        for (int i = 0; i < variables.length; i += 2) {
            builder.environment().put(variables[i], variables[i + 1]);
        }
        Process process = builder.start();
        return new MeasuredBackend(
                process,
                ProgramProcess.announced(
                        process, "dashboard", "the backend did not start; see " + folder.resolve("backend.log")));
    }

    /** Matches the variables of Outpost to remove, but not those of the launcher for starting runtimes. */
    private static Predicate<String> ofBackend() {
        return name -> name.startsWith("OUTPOST_") && !name.startsWith("OUTPOST_PROCESS_");
    }

    private static String place(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    String address() {
        return said.get("api");
    }

    String key() {
        return said.get("key");
    }

    BackendAccess access() {
        return BackendAccess.of(address(), key());
    }

    BackendClient client() {
        return new BackendClient(access());
    }

    /** Returns the sum of a meter's values over its labels. */
    double meter(String prefix) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address() + "/q/metrics")).build();
        try {
            String text = HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
            return text.lines()
                    .filter(line -> line.startsWith(prefix))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Returns the used heap in MiB. */
    double usedHeap() throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        int status = new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), "GC.run")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("jcmd could not run the collector");
        }
        return meter("jvm_memory_used_bytes{area=\"heap\"") / (1 << 20);
    }

    /** Returns the resident memory of the process in MiB. */
    double resident() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
                .sum();
    }

    /** Kills the process like {@code kill -9}; its database keeps running. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        ProgramProcess.end(process, Duration.ofMinutes(1));
    }
}
