package dev.outpost.provider.process.launch;

import dev.outpost.provider.process.config.IsolationName;
import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.state.Isolation;
import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.process.state.StateFolder;
import dev.outpost.provider.process.state.Users;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The methods by which this host can isolate the machines of organisations from each other. Each method is tried for
 * each state folder, by a short program. Later checks of a method that works only check the rules of the network.
 * Thread-safe.
 */
public final class HostIsolation {
    private static final Logger LOG = LoggerFactory.getLogger(HostIsolation.class);
    private static final long AGAIN_NANOS = 60_000_000_000L;
    private static final Map<Question, Answer> ANSWERS = new ConcurrentHashMap<>();

    /** Checks that a job sees the runtime and its own folder, may write there, and cannot read the machine's files. */
    private static final String PROBE_SCRIPT =
            "test -x \"$0\" && test -r \"$1\" && : >>\"$PWD/job/written\" && ! test -r \"$PWD/isolation\"";

    /**
     * Checks the same in a separate view of the file systems. There the file is visible to its owner, so this checks
     * that it cannot be written.
     */
    private static final String PROBE_SCRIPT_OF_VIEW =
            "test -x \"$0\" && test -r \"$1\" && : >>\"$PWD/job/written\" && ! test -w \"$PWD/isolation\" && test $$ -lt 10";

    private final ProcessConfig config;
    private final StateFolder state;

    public HostIsolation(ProcessConfig config) {
        this.config = config;
        this.state = new StateFolder(config.state());
    }

    private record Question(Path state, ProcessConfig.Separation settings, ProcessConfig.Program program) {}

    /** The method that works, or the reason why none works. */
    private record Answer(Optional<Way> way, String why, long nanos) {
        /**
         * True if the answer is recent. Old answers are checked again: a failed method may work later, for example
         * after a full disk was cleared, and a restart of the network removes its rules.
         */
        boolean isFresh() {
            return System.nanoTime() - nanos < AGAIN_NANOS;
        }
    }

    private record Way(boolean hasView, boolean hasUser) {}

    /** Returns the reason why organisations cannot be isolated; empty if they can. */
    public Optional<String> obstacle() {
        Answer answer = answer();
        return answer.way().isPresent() ? Optional.empty() : Optional.of(answer.why());
    }

    /**
     * Returns the isolation of a new machine; empty if this host isolates none.
     *
     * @param organisation the owner; empty for a machine of a pool
     */
    public Optional<Isolation> of(Optional<String> organisation) throws IOException {
        Optional<Way> way = answer().way();
        return way.isEmpty() ? Optional.empty() : Optional.of(isolation(way.get(), user(way.get(), organisation)));
    }

    private OptionalInt user(Way way, Optional<String> organisation) throws IOException {
        if (!way.hasUser()) {
            return OptionalInt.empty();
        }
        Users users = new Users(state, config.separation().users());
        return OptionalInt.of(organisation.isPresent() ? users.of(organisation.get()) : users.another());
    }

    private Answer answer() {
        return ANSWERS.compute(
                new Question(config.state(), config.separation(), config.program()),
                (question, known) -> known == null ? ask() : known.isFresh() ? known : again(known));
    }

    /**
     * Checks a method that worked before. It fails only if the network's rules are gone or a desktop was started
     * since.
     */
    private Answer again(Answer known) {
        boolean stillWorks = known.way()
                .filter(way -> (way.hasUser() ? metadata(way) : sockets()).isEmpty())
                .isPresent();
        return stillWorks ? new Answer(known.way(), "", System.nanoTime()) : ask();
    }

    private Answer ask() {
        List<String> obstacles = new ArrayList<>();
        for (Way way : ways()) {
            Optional<String> obstacle = obstacle(way);
            if (obstacle.isEmpty()) {
                return new Answer(Optional.of(way), "", System.nanoTime());
            }
            obstacles.add(name(way) + ": " + obstacle.get());
        }
        String why = obstacles.isEmpty()
                ? "outpost.process.isolation is "
                        + config.separation().isolation().text()
                : String.join("; ", obstacles);
        LOG.warn("this host cannot keep organisations apart: {}", why);
        return new Answer(Optional.empty(), why, System.nanoTime());
    }

    /** Returns the possible methods, best first. */
    private List<Way> ways() {
        boolean isRoot = HostUser.ofThisProcess().isRoot();
        boolean isKnown = Files.exists(Path.of("/proc/self/ns"));
        return switch (config.separation().isolation()) {
            case AUTO -> isKnown ? automatic(isRoot) : List.of();
            case NAMESPACES -> List.of(new Way(true, isRoot));
            case USER -> isRoot ? List.of(new Way(false, true)) : List.of();
            case NONE -> List.of();
        };
    }

    private static List<Way> automatic(boolean isRoot) {
        return isRoot ? List.of(new Way(true, true), new Way(false, true)) : List.of(new Way(true, false));
    }

    private static String name(Way way) {
        return way.hasView() ? IsolationName.NAMESPACES.text() : IsolationName.USER.text();
    }

    private Optional<String> obstacle(Way way) {
        try {
            return probe(way).or(() -> network(way));
        } catch (IOException failure) {
            return Optional.of(failure.toString());
        }
    }

    /**
     * Returns the name of a service that a program could reach because it shares the host's network; empty if there
     * is none.
     */
    private Optional<String> network(Way way) {
        return metadata(way).or(() -> way.hasUser() ? Optional.empty() : sockets());
    }

    private static Optional<String> sockets() {
        return AbstractSockets.ofThisUser(AbstractSockets.OF_THIS_HOST)
                .map(
                        name -> "programs could reach the socket " + name
                                + " of this user, and act as that user there; run the control plane as a user who has no desktop");
    }

    private Optional<String> metadata(Way way) {
        Optional<String> blocked =
                way.hasUser() ? MetadataServices.block(config.separation().users()) : Optional.of("");
        return blocked.isEmpty()
                ? Optional.empty()
                : MetadataServices.reachable()
                        .map(address -> "programs could ask the metadata service at " + address
                                + " for this host's credentials " + blocked.get());
    }

    private Optional<String> probe(Way way) throws IOException {
        OptionalInt user =
                way.hasUser() ? OptionalInt.of(config.separation().users().last()) : OptionalInt.empty();
        Isolation isolation = isolation(way, user);
        try (StateFolder.Probe folder = state.probe(isolation)) {
            List<String> program = List.of(
                    "/bin/sh",
                    "-c",
                    way.hasView() ? PROBE_SCRIPT_OF_VIEW : PROBE_SCRIPT,
                    config.program().java().toString(),
                    config.program()
                            .jar()
                            .map(Path::toAbsolutePath)
                            .orElseThrow()
                            .toString());
            Tool.Result result = Tool.run(ProcessLauncher.command(
                    folder.path(),
                    MachineFolder.RUNNER,
                    Optional.of(isolation),
                    Optional.empty(),
                    program,
                    HostUser.ofThisProcess()));
            String text = result.output() + folder.log();
            return result.isSuccess() ? Optional.empty() : Optional.of(text.isBlank() ? unreadable(way) : text.strip());
        }
    }

    private String unreadable(Way way) {
        return (way.hasUser() ? "another user than root" : "the runtime") + " could not run "
                + config.program().java() + " or read " + config.program().jar().orElseThrow();
    }

    private Isolation isolation(Way way, OptionalInt user) throws IOException {
        return way.hasView()
                ? new Isolation(true, user, readable(), writable())
                : new Isolation(false, user, List.of(), List.of());
    }

    /**
     * Returns the paths of the runtime, its JDK, CUDA's libraries and the configured ones; each folder comes before
     * its content.
     */
    private List<Path> readable() throws IOException {
        ProcessConfig.Program program = config.program();
        Stream<Path> ofProgram = Stream.of(
                        Stream.of(home(program.java()), home(program.java().toRealPath())),
                        program.jar().stream(),
                        program.cache().stream(),
                        program.flags().stream()
                                .filter(flag -> flag.startsWith("@"))
                                .map(flag -> Path.of(flag.substring(1))))
                .flatMap(paths -> paths);
        Stream<Path> ofCuda = Stream.of("LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "OUTPOST_CUDA_LIBRARIES")
                .map(name -> System.getenv().getOrDefault(name, ""))
                .flatMap(list -> Arrays.stream(list.split(File.pathSeparator)))
                .filter(path -> !path.isBlank())
                .map(Path::of);
        return Stream.of(ofProgram, ofCuda, config.separation().readable().stream())
                .flatMap(paths -> paths)
                .map(Path::toAbsolutePath)
                .filter(Files::exists)
                .filter(path -> path.getNameCount() > 0)
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Returns the JDK folder of a {@code java} program, or only the program if it is not in a JDK, such as a link in
     * a user's folder.
     */
    private static Path home(Path java) {
        Path home = java.toAbsolutePath().getParent().getParent();
        return home != null && Files.exists(home.resolve("release")) ? home : java.toAbsolutePath();
    }

    /**
     * Returns the settings for the machines of a UID. Each UID has a separate cache, because programs of other UIDs
     * must not change its content.
     */
    public static ProcessConfig forUser(ProcessConfig config, Isolation isolation) throws IOException {
        Optional<Path> cache = config.sources().cache();
        return cache.isPresent() && isolation.user().isPresent()
                ? config.withCache(Users.partOf(cache.get(), isolation.user().getAsInt()))
                : config;
    }

    /** Returns the writable folders: those of sources, and the cache. */
    private List<Path> writable() {
        List<Path> folders = new ArrayList<>();
        config.sources().allowed().stream()
                .flatMap(list -> Arrays.stream(list.split(",")))
                .map(String::strip)
                .filter(place -> place.startsWith("file:"))
                .map(place -> Path.of(place.substring("file:".length()).replaceFirst("^//+", "/")))
                .forEach(folders::add);
        config.sources().cache().map(Path::toAbsolutePath).ifPresent(folders::add);
        folders.removeIf(folder -> folder.getNameCount() == 0);
        return folders.stream().distinct().sorted().toList();
    }
}
