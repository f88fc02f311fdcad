package dev.outpost.provider.process.state;

import dev.outpost.channel.HostPort;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The files of one machine. Safe for use by any number of threads and processes: each file is replaced as a whole, and if several
 * processes compete to write one, the first one wins.
 */
public final class MachineFolder {
    /**
     * The time after which a machine without a process counts as failed. A client starts the process immediately
     * after it makes the machine.
     */
    static final Duration UNSTARTED = Duration.ofSeconds(15);

    /** The time after which an ending runtime is killed; longer than it takes to drain. */
    static final Duration ENDING = Duration.ofSeconds(15);

    /** The time after its planned end at which a machine that should end by itself is killed. */
    static final Duration OVERDUE = Duration.ofSeconds(30);

    private static final String RECORD = "machine";
    private static final String COMMAND = "command";
    private static final String END = "end";
    private static final String ENDED = "fate";
    private static final String BEING_ENDED = "ending";
    private static final String RUNNER_BEING_ENDED = "runner-ending";

    /** The file into which the runtime's process writes its id. */
    public static final String PROCESS = "process";

    public static final String RUNNER = "runner";

    /** The files that start a runner; absent if the machine has no job. */
    public static final String RUNNER_COMMAND = "runner-command";

    public static final String RUNNER_ENVIRONMENT = "runner-environment";

    /** The file with the authority of the backend's certificate; absent if the JDK knows the authority. */
    public static final String RUNNER_AUTHORITY = "runner-authority";

    /** The files whose names are passed to the runtime. */
    public static final String TOKEN = "token";

    public static final String GRANTS = "grants";
    public static final String LOG = "log";
    public static final String OUTPUT = "out";
    public static final String CRASH = "crash";

    /** The folder of a job. */
    public static final String JOB = "job";

    /** The prefix of the temporary folder of each process. */
    private static final String TEMPORARY = "tmp-";

    private static final String ISOLATION = "isolation";

    /** An empty folder, on which the view of the processes is mounted. */
    private static final String VIEW = "root";

    /** The files that the machine's processes read. */
    private static final List<String> FOR_PROCESSES = List.of(GRANTS, RUNNER_AUTHORITY);

    private final Path path;
    private final MachineRecord record;

    private MachineFolder(Path path, MachineRecord record) {
        this.path = path;
        this.record = record;
    }

    /** Opens a folder; empty if it contains no machine. */
    static Optional<MachineFolder> open(Path path) {
        try {
            return OwnFiles.read(path.resolve(RECORD)).map(text -> new MachineFolder(path, MachineRecord.read(text)));
        } catch (IllegalArgumentException failure) {
            throw new IllegalStateException(path + ": " + failure.getMessage(), failure);
        }
    }

    /** Writes the files of a new machine. The folder has no name yet, so no other process sees it. */
    static void fill(
            Path path,
            MachineRecord record,
            List<String> command,
            Map<String, String> files,
            Optional<Isolation> isolation)
            throws IOException {
        OwnFiles.write(path.resolve(RECORD), record.write());
        OwnFiles.write(path.resolve(COMMAND), String.join("\n", command));
        for (var file : files.entrySet()) {
            OwnFiles.write(path.resolve(file.getKey()), file.getValue(), reader(file.getKey(), isolation));
        }
        if (isolation.isPresent()) {
            separate(path, isolation.get());
        }
    }

    /** Makes the folders that the processes may write; they may write nothing else. */
    static void separate(Path path, Isolation isolation) throws IOException {
        OwnFiles.write(path.resolve(ISOLATION), isolation.write());
        OwnFiles.makeFolder(path.resolve(VIEW));
        for (String folder : List.of(JOB, TEMPORARY + PROCESS, TEMPORARY + RUNNER)) {
            OwnFiles.give(OwnFiles.makeFolder(path.resolve(folder)), isolation.user());
        }
        for (String file : List.of(END, CRASH)) {
            OwnFiles.write(path.resolve(file), "", isolation.user());
        }
        OwnFiles.letList(path, isolation.user());
    }

    /** Returns the user, besides the control plane, who may read a file. */
    private static OptionalInt reader(String file, Optional<Isolation> isolation) {
        return FOR_PROCESSES.contains(file) && isolation.isPresent()
                ? isolation.get().user()
                : OptionalInt.empty();
    }

    /** Returns the isolation of its processes; empty if they are not isolated. */
    public Optional<Isolation> isolation() {
        return OwnFiles.read(path.resolve(ISOLATION)).map(Isolation::read);
    }

    public Path path() {
        return path;
    }

    public MachineRecord record() {
        return record;
    }

    /** Returns the command of its process. */
    public List<String> command() {
        return OwnFiles.read(path.resolve(COMMAND)).orElse("").lines().toList();
    }

    /** Returns the command of the runner; empty if there is none. */
    public List<String> runnerCommand() {
        return OwnFiles.read(path.resolve(RUNNER_COMMAND)).orElse("").lines().toList();
    }

    /** Returns the variables of the runner. */
    public Map<String, String> runnerEnvironment() {
        return OwnFiles.read(path.resolve(RUNNER_ENVIRONMENT))
                .orElse("")
                .lines()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    }

    public Optional<String> read(String file) {
        return OwnFiles.read(path.resolve(file));
    }

    public void write(String file, String text) throws IOException {
        OwnFiles.write(path.resolve(file), text, reader(file, isolation()));
    }

    // ---- status

    /** Returns true if the machine's folder still exists. */
    public boolean exists() {
        return Files.exists(path.resolve(RECORD));
    }

    /**
     * Returns true if no process was started yet. Any process may then start one; if several do, only one continues.
     */
    public boolean isUnstarted() {
        return !Files.exists(path.resolve(PROCESS));
    }

    /** Returns the status of the machine. A removed machine has ended. */
    public MachineStatus status(Instant now) {
        try {
            return exists() ? present(now) : removed(now);
        } catch (UncheckedIOException failure) {
            if (exists()) {
                throw failure;
            }
            return removed(now);
        }
    }

    private static MachineStatus removed(Instant now) {
        return MachineStatus.ended(
                new ExitState(EndCause.STOPPED, now, "it was ended from outside, and no longer exists"));
    }

    private MachineStatus present(Instant now) {
        Optional<String> written = read(PROCESS);
        if (written.isEmpty() && record.created().plus(UNSTARTED).isAfter(now)) {
            return MachineStatus.coming("its process is about to start", record.created());
        }
        Optional<MachineProcess> process =
                written.flatMap(MachineProcess::parse).or(this::neverStarted);
        if (process.filter(MachineProcess::isAlive).isPresent()) {
            return alive();
        }
        return isRunnerAlive() ? endingRunner(now) : dead(process, now);
    }

    /** Returns the status while the runtime is over but the job's program may still write and compute. */
    private MachineStatus endingRunner(Instant now) {
        return new MachineStatus(
                MachinePhase.ENDING,
                "its runtime is over, and its job's program is being ended",
                endAsked().or(this::runnerEndAsked).orElse(now),
                Optional.empty(),
                Optional.empty());
    }

    /** Marks the machine so that it can no longer be started. */
    private Optional<MachineProcess> neverStarted() {
        try {
            OwnFiles.writeFirst(path.resolve(PROCESS), MachineProcess.NONE + "\n");
            return process();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Optional<MachineProcess> process() {
        return read(PROCESS).flatMap(MachineProcess::parse);
    }

    private Optional<MachineProcess> runner() {
        return read(RUNNER).flatMap(MachineProcess::parse);
    }

    private MachineStatus alive() {
        Optional<Announcement> announced = announcement();
        Optional<Instant> asked = endAsked();
        Optional<String> end = said(END);
        if (asked.isPresent() || end.isPresent()) {
            String reason = asked.isPresent()
                    ? "it was told to end"
                    : "it ends: " + end.orElse("").strip();
            return new MachineStatus(
                    MachinePhase.ENDING,
                    reason,
                    asked.orElseGet(() -> modified(END)),
                    Optional.empty(),
                    announced.map(Announcement::address));
        }
        return announced
                .map(this::serving)
                .orElseGet(() -> MachineStatus.coming("its runtime is starting", record.created()));
    }

    private MachineStatus serving(Announcement said) {
        String reason = "it serves at "
                + HostPort.text(said.address().host(), said.address().port()) + ": " + said.device();
        return new MachineStatus(
                MachinePhase.READY, reason, modified(OUTPUT), Optional.empty(), Optional.of(said.address()));
    }

    public Optional<Announcement> announcement() {
        return said(OUTPUT).flatMap(Announcement::parse);
    }

    /** Returns the text that a process has written into a file, up to a maximum length; empty if it is blank. */
    private Optional<String> said(String file) {
        return OwnFiles.readStart(path.resolve(file)).filter(text -> !text.isBlank());
    }

    private MachineStatus dead(Optional<MachineProcess> process, Instant now) {
        return MachineStatus.ended(read(ENDED).map(ExitState::read).orElseGet(() -> findOut(process, now)));
    }

    private ExitState findOut(Optional<MachineProcess> process, Instant now) {
        Optional<String> end = said(END);
        Instant at = end.isPresent() ? modified(END) : now;
        ExitState exitState = ExitDiagnosis.of(
                process,
                end,
                said(CRASH),
                announcement().isPresent(),
                OwnFiles.readEnd(path.resolve(LOG)).orElse(""),
                at);
        try {
            OwnFiles.writeFirst(path.resolve(ENDED), exitState.write());
        } catch (IOException ignored) {
            return exitState;
        }
        return read(ENDED).map(ExitState::read).orElse(exitState);
    }

    private Instant modified(String file) {
        try {
            return Instant.ofEpochMilli(
                    Files.getLastModifiedTime(path.resolve(file)).toMillis());
        } catch (IOException ignored) {
            return record.created();
        }
    }

    // ---- its end

    /** Starts to end the machine; it can no longer be started. Does nothing if the machine was removed. */
    public void end(Instant now) throws IOException {
        try {
            OwnFiles.writeFirst(path.resolve(BEING_ENDED), now + "\n");
            OwnFiles.writeFirst(path.resolve(PROCESS), MachineProcess.NONE + "\n");
            OwnFiles.writeFirst(path.resolve(RUNNER), MachineProcess.NONE + "\n");
        } catch (IOException failure) {
            if (exists()) {
                throw failure;
            }
        }
        runner().ifPresent(MachineProcess::terminate);
        process().ifPresent(MachineProcess::terminate);
    }

    private Optional<Instant> endAsked() {
        return read(BEING_ENDED).map(text -> Instant.parse(text.strip()));
    }

    /**
     * Does pending work: kills processes that do not end, and removes the remains of a machine that need not be kept.
     *
     * @return true if anything is left of the machine
     */
    public boolean attend(Instant now) throws IOException {
        Optional<Instant> asked = endAsked();
        boolean late = asked.filter(time -> time.plus(ENDING).isBefore(now)).isPresent()
                || record.ends()
                        .filter(time -> time.plus(OVERDUE).isBefore(now))
                        .isPresent();
        if (late) {
            process().ifPresent(MachineProcess::kill);
            runner().ifPresent(MachineProcess::kill);
        }
        if (process().isPresent() && !isAlive()) {
            endRunner(now);
        }
        if (isAlive() && isRunnerOver()) {
            // Without its runner, nothing uses the machine of a job. Ending it now saves the time until the control
            // plane notices its silence.
            process().ifPresent(MachineProcess::terminate);
        }
        if (asked.isPresent() && !isAlive() && !isRunnerAlive()) {
            remove();
        }
        return exists();
    }

    /** Ends the runner, because its program no longer has a machine. */
    private void endRunner(Instant now) throws IOException {
        if (isRunnerAlive()) {
            OwnFiles.writeFirst(path.resolve(RUNNER_BEING_ENDED), now + "\n");
            boolean isLate = runnerEndAsked()
                    .filter(time -> time.plus(ENDING).isBefore(now))
                    .isPresent();
            runner().ifPresent(isLate ? MachineProcess::kill : MachineProcess::terminate);
        } else if (isolation().filter(Isolation::hasView).isEmpty() && runner().isPresent()) {
            runner().get().killGroup();
        }
    }

    private Optional<Instant> runnerEndAsked() {
        return read(RUNNER_BEING_ENDED).map(text -> Instant.parse(text.strip()));
    }

    public boolean isAlive() {
        return process().filter(MachineProcess::isAlive).isPresent();
    }

    private boolean isRunnerAlive() {
        return runner().filter(MachineProcess::isAlive).isPresent();
    }

    private boolean isRunnerOver() {
        return runner().filter(started -> !started.isAlive()).isPresent();
    }

    public void kill() {
        process().ifPresent(MachineProcess::kill);
        runner().ifPresent(MachineProcess::kill);
    }

    /** Removes the folder. Renames it first, so that no process finds a partly removed folder. */
    public void remove() throws IOException {
        Path nameless = path.resolveSibling(StateFolder.HIDDEN + "removed-" + UUID.randomUUID());
        try {
            Files.move(path, nameless);
        } catch (NoSuchFileException ignored) {
            return;
        }
        removeContents(nameless);
    }

    static void removeContents(Path nameless) throws IOException {
        if (Files.exists(nameless.resolve(JOB))) {
            OwnFiles.removeForeign(nameless);
        } else {
            OwnFiles.remove(nameless);
        }
    }
}
