package dev.outpost.provider.process.state;

import dev.outpost.channel.HostPort;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineObservation.State;
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
 * One machine, as its files tell. Safe for use by any number of threads and processes: what changes is replaced whole, and
 * where one of many must win, the first file does.
 */
public final class MachineFolder {
    /** A client that asks for a machine starts it at once; one that has not by then is dead. */
    static final Duration UNSTARTED = Duration.ofSeconds(15);

    /** Longer than a runtime takes to drain. */
    static final Duration ENDING = Duration.ofSeconds(15);

    /** How much longer than its life a machine may live that ends by itself. */
    static final Duration OVERDUE = Duration.ofSeconds(30);

    private static final String RECORD = "machine";
    private static final String COMMAND = "command";
    private static final String END = "end";
    private static final String ENDED = "fate";
    private static final String BEING_ENDED = "ending";
    private static final String RUNNER_BEING_ENDED = "runner-ending";

    /** The files that its processes write their numbers into. */
    public static final String PROCESS = "process";

    public static final String RUNNER = "runner";

    /** The files by which a runner is started; there are none where there is no job. */
    public static final String RUNNER_COMMAND = "runner-command";

    public static final String RUNNER_ENVIRONMENT = "runner-environment";

    /** The file with the authority of the backend's certificate; there is none where the JDK knows it. */
    public static final String RUNNER_AUTHORITY = "runner-authority";

    /** The files whose names the runtime is told. */
    public static final String TOKEN = "token";

    public static final String GRANTS = "grants";
    public static final String LOG = "log";
    public static final String OUTPUT = "out";
    public static final String CRASH = "crash";

    /** The folder of a job. */
    public static final String JOB = "job";

    /** The temporary folder of each process. */
    private static final String TEMPORARY = "tmp-";

    private static final String ISOLATION = "isolation";

    /** An empty folder, on which the view of the processes is mounted. */
    private static final String VIEW = "root";

    /** The processes of a machine read these files. */
    private static final List<String> FOR_PROCESSES = List.of(GRANTS, RUNNER_AUTHORITY);

    private final Path path;
    private final MachineRecord record;

    private MachineFolder(Path path, MachineRecord record) {
        this.path = path;
        this.record = record;
    }

    /** Nothing where there is no machine in that folder. */
    static Optional<MachineFolder> open(Path path) {
        try {
            return OwnFiles.read(path.resolve(RECORD)).map(text -> new MachineFolder(path, MachineRecord.read(text)));
        } catch (IllegalArgumentException failure) {
            throw new IllegalStateException(path + ": " + failure.getMessage(), failure);
        }
    }

    /** Makes what is in the folder of a machine; it is nobody's before it has its name. */
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

    /** Makes what the processes may write, and nothing else, theirs. */
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

    /** The user, besides the control plane, who reads a file. */
    private static OptionalInt reader(String file, Optional<Isolation> isolation) {
        return FOR_PROCESSES.contains(file) && isolation.isPresent()
                ? isolation.get().user()
                : OptionalInt.empty();
    }

    /** How its processes are kept apart; nothing where they are not. */
    public Optional<Isolation> isolation() {
        return OwnFiles.read(path.resolve(ISOLATION)).map(Isolation::read);
    }

    public Path path() {
        return path;
    }

    public MachineRecord record() {
        return record;
    }

    /** The command of its process. */
    public List<String> command() {
        return OwnFiles.read(path.resolve(COMMAND)).orElse("").lines().toList();
    }

    /** What the runner beside it is started by; empty where there is none. */
    public List<String> runnerCommand() {
        return OwnFiles.read(path.resolve(RUNNER_COMMAND)).orElse("").lines().toList();
    }

    /** The variables of the runner. */
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

    // ---- how it is

    /** Whether anything is left of it. */
    public boolean exists() {
        return Files.exists(path.resolve(RECORD));
    }

    /** Whether no process was begun yet, so that whoever wants it may begin one; of many that are, one goes on. */
    public boolean isUnstarted() {
        return !Files.exists(path.resolve(PROCESS));
    }

    /** Of one that was removed, it is that it has ended. */
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
                new ExitState(EndCause.STOPPED, now, "somebody ended it, and nothing is left of it"));
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

    /** A program may still write and compute, so that the machine is not over. */
    private MachineStatus endingRunner(Instant now) {
        return new MachineStatus(
                State.ENDING,
                "its runtime is over, and its job's program is being ended",
                endAsked().or(this::runnerEndAsked).orElse(now),
                Optional.empty(),
                Optional.empty());
    }

    /** From now on nobody can start it. */
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
                    State.ENDING,
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
        return new MachineStatus(State.READY, reason, modified(OUTPUT), Optional.empty(), Optional.of(said.address()));
    }

    public Optional<Announcement> announcement() {
        return said(OUTPUT).flatMap(Announcement::parse);
    }

    /** What a process has written into a file, up to a bound; nothing where it is empty. */
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

    /** Begins its end; nobody can start it any more. Does nothing where nothing is left of it. */
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
     * Does what is due: kills what does not end, and removes what has ended and is not to be kept.
     *
     * @return whether anything is left of it
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
            // Nothing uses a machine whose job has no runner any more, and the control plane need not wait for its
            // silence.
            process().ifPresent(MachineProcess::terminate);
        }
        if (asked.isPresent() && !isAlive() && !isRunnerAlive()) {
            remove();
        }
        return exists();
    }

    /** A program has no machine any more. */
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

    /** Takes its name away first, so that nobody sees half of it. */
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
