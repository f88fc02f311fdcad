package dev.outpost.system.server;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.ConnectionToken;
import dev.outpost.provider.Endpoint;
import dev.outpost.support.tests.AotCache;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The command line of a runtime. */
public final class RuntimeCommandLine {
    private static final Path JAR = Path.of(System.getProperty("outpost.runtime.jar"));

    /** Flags for a quick start and little memory. */
    private static final List<String> JVM = List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            // Without the optimizing compiler, each vector is an object.
            "-Doutpost.cpu.vectors=false");

    private static final List<String> FLAGS = Stream.concat(
                    JVM.stream(),
                    AotCache.options(
                            JAR,
                            new AotCache.Training(
                                    JVM,
                                    List.of("--host", "127.0.0.1", "--port", "0"),
                                    RuntimeProcess.LAST_LINE,
                                    RuntimeCommandLine::use))
                            .stream())
            .toList();

    private RuntimeCommandLine() {}

    /** The jar of the runtime. */
    public static Path jar() {
        return JAR;
    }

    /** The files of test programs; jobs see nothing else of the host besides the system. */
    public static String readable() {
        Path build = JAR.toAbsolutePath().getParent().getParent().getParent().getParent();
        return build + "," + Path.of(System.getProperty("user.home"), ".m2", "repository");
    }

    /** The flags of its JVM, for a quick start and little memory. */
    public static List<String> flags() {
        return FLAGS;
    }

    /**
     * Serves on free ports of this host, and on the socket, unless the arguments say otherwise.
     *
     * @param arguments options of the runtime; those that begin with {@code -D} or {@code -X} go to the JVM
     */
    static List<String> of(Path socket, String... arguments) {
        List<String> options =
                Arrays.stream(arguments).filter(argument -> !isForJvm(argument)).toList();
        List<String> command = plain(
                Arrays.stream(arguments).filter(RuntimeCommandLine::isForJvm).toList());
        command.addAll(options);
        addDefault(command, "--host", "127.0.0.1");
        addDefault(command, "--port", "0");
        addDefault(command, "--socket", socket.toString());
        return command;
    }

    /** A runtime that is configured only by its environment. */
    public static List<String> plain() {
        return plain(List.of());
    }

    /** A runtime without settings except a free port. */
    static List<String> ofThisHost() {
        List<String> command = plain();
        command.addAll(List.of("--port", "0"));
        return command;
    }

    private static List<String> plain(List<String> forJvm) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(forJvm);
        command.addAll(List.of("-jar", JAR.toString()));
        return command;
    }

    /** One session. */
    private static void use(List<String> lines) {
        ConnectionToken token = ConnectionToken.parse(RuntimeProcess.said(lines, "token"));
        int port = Integer.parseInt(RuntimeProcess.said(lines, "endpoint").replaceFirst(".*:", ""));
        Endpoint.Remote endpoint =
                new Endpoint.Remote("127.0.0.1", port, token.pin().orElseThrow(), token.secret());
        try (RemoteMachine machine = RemoteMachine.connect(endpoint, new MachineOptions())) {
            machine.ones(2, 3).sum().itemDouble();
        }
    }

    private static boolean isForJvm(String argument) {
        return argument.startsWith("-D") || argument.startsWith("-X");
    }

    private static void addDefault(List<String> command, String option, String value) {
        if (!command.contains(option)) {
            command.addAll(List.of(option, value));
        }
    }
}
