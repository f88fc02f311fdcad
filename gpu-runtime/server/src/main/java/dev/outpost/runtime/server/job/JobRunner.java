package dev.outpost.runtime.server.job;

import dev.outpost.channel.grant.RunnerToken;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.runner.RunnerBegin;
import dev.outpost.rest.runner.RunnerBegun.RunOrder;
import dev.outpost.rest.runner.RunnerExit;
import dev.outpost.rest.runner.RunnerSign;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Runs a user's program once, beside a runtime. It asks the control plane for permission, fetches and starts the program,
 * sends its output and artefacts, and reports how it ended. No other process starts the program.
 */
public final class JobRunner {
    private static final Duration ASK = Duration.ofMillis(300);
    private static final Duration SIGN = Duration.ofSeconds(3);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final int NOT_STARTED = 127;
    private static final int MISCONFIGURED = 2;

    private final RunnerClient client;
    private final Path folder;
    private final String runner = UUID.randomUUID().toString();
    private final String token;
    private final Contact contact = Contact.ofThisHost();
    private volatile boolean isStopAsked;

    private JobRunner(RunnerClient client, Path folder, String token) {
        this.client = client;
        this.folder = folder;
        this.token = token;
    }

    /** Runs a job in the current folder. */
    public static void main(String[] arguments) throws Exception {
        try {
            configured(System.getenv()).run();
        } catch (RunnerClient.RefusedException failure) {
            System.err.println(OutageLog.PREFIX + failure.getMessage());
        } catch (IllegalArgumentException failure) {
            System.err.println(OutageLog.PREFIX + failure.getMessage());
            System.exit(MISCONFIGURED);
        }
    }

    private static JobRunner configured(Map<String, String> environment) {
        String token = required(environment, "OUTPOST_RUNNER_TOKEN");
        URI backend = URI.create(required(environment, "OUTPOST_RUNNER_API").replaceAll("/+$", ""));
        Optional<Path> authority =
                Optional.ofNullable(environment.get("OUTPOST_RUNNER_CA")).map(Path::of);
        RunnerClient client = new RunnerClient(
                new BackendClient(new BackendAccess(backend, token, authority)),
                new OutageLog(backend, System.err, System::nanoTime));
        Path folder = Path.of(environment.getOrDefault("OUTPOST_RUNNER_FOLDER", "job"));
        return new JobRunner(client, folder.toAbsolutePath(), RunnerToken.ofMachine(token));
    }

    private static String required(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable))
                .filter(value -> !value.isBlank())
                .orElseThrow(() -> new IllegalArgumentException(
                        variable + " is not set: the supplier of the machine sets it for the runner of a job"));
    }

    private void run() throws InterruptedException {
        RunOrder order = begin();
        Ending ending = carryOut(order);
        RunnerExit exit = new RunnerExit(runner, ending.code(), ending.isTimeout(), ending.text());
        client.call(calls -> {
            calls.exited(exit);
            return exit;
        });
    }

    /** Runs the program. Reports its end in any case, because otherwise the control plane would repeat the run. */
    private Ending carryOut(RunOrder order) throws InterruptedException {
        Ending ending = new Ending(NOT_STARTED, false, "the program could not be started");
        Thread signs = Thread.ofPlatform().name("signs").daemon().start(this::sign);
        try {
            Files.createDirectories(folder);
            Path artefacts = Files.createDirectories(folder.resolve("artefacts"));
            Path program = fetch(order);
            if (isCutOff(order)) {
                return new Ending(NOT_STARTED, false, "it was not begun because " + silence(order));
            }
            ending = run(order, program, artefacts, signs);
            List<String> left = new ArtefactSender(client).send(artefacts);
            return left.isEmpty() ? ending : ending.with("; not kept: " + String.join(", ", left));
        } catch (RunnerClient.RefusedException failure) {
            throw failure;
        } catch (IOException | RuntimeException failure) {
            System.err.println(OutageLog.PREFIX + "run " + order.number() + ": " + OutageLog.text(failure));
            return ending.with(": " + OutageLog.text(failure));
        } finally {
            signs.interrupt();
        }
    }

    /** True if the backend has been silent for so long that it may let the next run begin. */
    private boolean isCutOff(RunOrder order) {
        return order.contactMillis() != null && contact.silence().toMillis() > order.contactMillis();
    }

    private static String silence(RunOrder order) {
        return "the backend has not answered for " + Duration.ofMillis(order.contactMillis());
    }

    /** The result of a program: its exit code, whether its time was over, and a text for the control plane. */
    private record Ending(int code, boolean isTimeout, String text) {
        Ending with(String more) {
            return new Ending(code, isTimeout, text + more);
        }
    }

    private RunOrder begin() {
        while (true) {
            Contact.Question question = contact.question();
            RunOrder order = client.call(calls -> calls.begin(new RunnerBegin(runner, sha256(token))), question::ask)
                    .run();
            if (order != null) {
                question.answered();
                return order;
            }
            RunnerClient.sleep(ASK);
        }
    }

    private Path fetch(RunOrder order) throws IOException {
        Path file = folder.resolve(Path.of(order.programName()).getFileName());
        MessageDigest digest = digest();
        try (OutputStream write = Files.newOutputStream(file)) {
            long at = 0;
            while (at < order.programSize()) {
                long from = at;
                byte[] part = client.call(calls -> calls.program(from));
                if (part.length == 0) {
                    throw new IOException("the program ends at " + at + " of " + order.programSize() + " bytes");
                }
                digest.update(part);
                write.write(part);
                at += part.length;
            }
        }
        String hash = HexFormat.of().formatHex(digest.digest());
        if (!hash.equals(order.program())) {
            throw new IOException("the program has the SHA-256 " + hash + " instead of " + order.program());
        }
        return file;
    }

    private Ending run(RunOrder order, Path program, Path artefacts, Thread signs)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(order.timeoutMillis());
        Process process = start(order, program, artefacts);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> kill(process)));
        try {
            return watch(order, process, deadline, signs);
        } finally {
            kill(process);
            killRest();
        }
    }

    private Ending watch(RunOrder order, Process process, long deadline, Thread signs)
            throws IOException, InterruptedException {
        ProgramLog log = new ProgramLog(folder.resolve("log"), client);
        log.start(process.getInputStream());
        boolean isTimeout = false;
        boolean isCutOff = false;
        while (!process.waitFor(ASK.toMillis(), TimeUnit.MILLISECONDS)) {
            isTimeout = System.nanoTime() > deadline;
            isCutOff = isCutOff(order);
            if (isTimeout || isCutOff || isStopAsked) {
                end(process);
            }
        }
        killRest();
        log.finish();
        signs.interrupt();
        int code = process.exitValue();
        if (isCutOff) {
            return new Ending(code, false, "it was ended because " + silence(order));
        }
        return new Ending(code, isTimeout, isTimeout ? "it took too long" : "its program ended with " + code);
    }

    /**
     * Kills the remaining processes. As the first process of a PID namespace, this process can kill all of the program's
     * descendants.
     */
    private static void killRest() {
        if (ProcessHandle.current().pid() == 1) {
            OtherProcesses.kill();
        }
    }

    private Process start(RunOrder order, Path program, Path artefacts) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Without these options, each log begins with warnings about native access and Unsafe in protobuf and
                // Netty.
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-jar",
                program.getFileName().toString()));
        command.addAll(order.arguments());
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("OUTPOST_RUNNER_"));
        environment.putAll(order.environment());
        environment.putAll(Map.of(
                "OUTPOST_JOB_ID", order.job().toString(),
                "OUTPOST_JOB_RUN", Integer.toString(order.number()),
                "OUTPOST_JOB_ARTEFACTS", artefacts.toString(),
                "OUTPOST_JOB_GPU", order.gpu(),
                "OUTPOST_JOB_MACHINE", order.host() + ":" + order.port(),
                "OUTPOST_JOB_CERTIFICATE", order.certificate(),
                "OUTPOST_JOB_TOKEN", token));
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    /** Reports that the run is alive, and reads from the answer whether it should continue. */
    private void sign() {
        try {
            while (!isStopAsked) {
                Contact.Question question = contact.question();
                isStopAsked = client.call(calls -> calls.reportAlive(new RunnerSign(runner)), question::ask)
                        .stop();
                question.answered();
                RunnerClient.sleep(SIGN);
            }
        } catch (RunnerClient.RefusedException ignored) {
            isStopAsked = !Thread.currentThread().isInterrupted();
        }
    }

    /** Asks the program and its descendants to end, and kills those that do not end in time. */
    private static void end(Process process) throws InterruptedException {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroy);
        if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
            all.forEach(ProcessHandle::destroyForcibly);
            process.waitFor();
        }
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static String sha256(String text) {
        return HexFormat.of().formatHex(digest().digest(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
