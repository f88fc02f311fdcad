package dev.outpost.provider.process.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.provider.process.state.Isolation;
import dev.outpost.provider.process.state.StateFolder;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program of a tenant attacks the control plane that started it, with each method of isolation. */
class HostileProgramTest {
    private static final String SECRET = "secret-of-the-operator";
    private static final int TENANT = 1_900_000_000;
    private static final int PLAIN = 65_534;

    /** Each attack that succeeds is a line of the file {@code job/result}; the last line says that all were tried. */
    private static final String ATTACKS = """
            data=$1 victim=$2 launching=$3
            own=$PWD
            exec >job/result 2>/dev/null
            cat "$data/admin-key" >/dev/null && echo "read a key"
            ls "$data/machines" | grep -v "${own##*/}" && echo "listed the machines"
            cat "$data"/machines/other/log >/dev/null && echo "read another log"
            env | grep SECRET && echo "inherited a secret"
            for environment in /proc/[0-9]*/environ; do
                tr '\\0' '\\n' <"$environment" | grep '^SECRET=' && echo "read $environment"
            done
            kill -0 "$victim" && tr '\\0' ' ' <"/proc/$victim/cmdline" | grep victim && echo "may signal the control plane"
            head -c 1 "/proc/$victim/mem" && echo "may trace the control plane"
            # The words behind the name are the state, the parent, the process group and the session; 0 is one outside of the namespace.
            read -r stat </proc/self/stat
            group=$(set -- ${stat##*) } && echo "$3 $4")
            case " $group " in *" 0 "* | *" $launching "*) echo "may signal the group of the control plane: $group" ;; esac
            echo changed >"$own/grants" && echo "changed its grants"
            mv "$own/end" "$own/gone" && echo "moved a file that the control plane reads"
            ln -s "$data/admin-key" "$own/out2" && echo "made a link where the control plane reads"
            echo changed >>"$data/runtime.jar" && echo "changed the runtime"
            grep '^CapEff:.*[1-9a-f]' /proc/self/status && echo "has capabilities"
            grep '^NoNewPrivs:.*0' /proc/self/status && echo "may gain privileges"
            umount -l "$own" && echo "took its view away"
            unshare --user --map-root-user --mount sh -c 'umount -l "$0" && cat "$1/admin-key"' "$own" "$data" && echo "saw below"
            cat "$data/runtime.jar" >/dev/null || echo "cannot read the runtime"
            echo x >job/file && cat job/file >/dev/null || echo "cannot write its folder"
            echo x >end || echo "cannot say why it ends"
            setsid sh -c 'echo here >job/daemon; exec sleep 34567' &
            until [ -s job/daemon ]; do :; done
            echo over
            exec sleep 34568
            """;

    /** The methods by which a host may isolate processes. */
    enum Way {
        ROOT_BY_NAMESPACES(true, true),
        ROOT_BY_USERS(true, false),
        PLAIN_USER(false, true);

        private final boolean isRoot;
        private final boolean hasView;

        Way(boolean isRoot, boolean hasView) {
            this.isRoot = isRoot;
            this.hasView = hasView;
        }
    }

    @TempDir
    Path folder;

    private final HostUser self = HostUser.ofThisProcess();
    private final List<Process> started = new ArrayList<>();
    private Path data;

    @BeforeEach
    void makeData() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("admin-key"), SECRET);
        Files.setPosixFilePermissions(data.resolve("admin-key"), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(data.resolve("runtime.jar"), "runtime");
    }

    @AfterEach
    void endAll() {
        started.forEach(process -> process.toHandle().descendants().forEach(ProcessHandle::destroyForcibly));
        started.forEach(Process::destroyForcibly);
    }

    @ParameterizedTest
    @EnumSource
    void programReachesNothingOfTheControlPlaneAndEndsWhole(Way way) throws Exception {
        assumeTrue(!way.isRoot || self.isRoot(), "needs root");
        HostUser owner = way.isRoot || !self.isRoot() ? self : new HostUser(PLAIN, PLAIN);
        StateFolder state = new StateFolder(data.resolve("machines"));
        Isolation isolation = new Isolation(
                way.hasView,
                way.isRoot ? OptionalInt.of(TENANT) : OptionalInt.empty(),
                List.of(data.resolve("runtime.jar")),
                List.of());
        Path machine = state.probe(isolation).path();
        Path other = Files.createDirectory(data.resolve("machines").resolve("other"));
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(other.resolve("log"), SECRET);
        Files.writeString(machine.resolve("grants"), "none");
        give(data, owner, machine, way);

        Process victim = start(owner, List.of("sh", "-c", "exec sleep 34569 # victim"));
        List<String> program =
                List.of("/bin/sh", "-c", ATTACKS, "attack", data.toString(), Long.toString(victim.pid()));
        start(
                owner,
                ProcessLauncher.command(machine, "runner", Optional.of(isolation), Optional.empty(), program, owner));
        Path result = machine.resolve("job").resolve("result");
        Await.until(
                () -> read(machine.resolve("log")) + read(result),
                () -> read(result).endsWith("over\n"));
        assertEquals("over\n", read(result));
        assertEquals(SECRET, Files.readString(data.resolve("admin-key")));
        assertTrue(victim.isAlive());

        long number =
                Long.parseLong(Files.readAllLines(machine.resolve("runner")).getFirst());
        assertTrue(isRunning("34568"));
        if (way.hasView) {
            ProcessHandle.of(number).orElseThrow().destroyForcibly();
            Await.until(() -> "the daemon of the program", () -> !isRunning("34567"));
        } else {
            killByArgument("34567");
            killByArgument("34568");
        }
    }

    /** Gives the files to the user of the control plane. The processes keep their own files. */
    private static void give(Path data, HostUser owner, Path machine, Way way) throws IOException {
        Files.walkFileTree(data, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) throws IOException {
                return visitFile(path, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                if (!way.isRoot) {
                    Files.setAttribute(path, "unix:gid", owner.gid());
                    Files.setAttribute(path, "unix:uid", owner.uid());
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertFalse(machine.startsWith(data.resolve("machines").resolve("other")));
    }

    private Process start(HostUser owner, List<String> command) throws IOException {
        List<String> all = new ArrayList<>();
        if (!owner.equals(self)) {
            all.addAll(List.of("setpriv", "--reuid=" + owner.uid(), "--regid=" + owner.gid(), "--clear-groups", "--"));
        }
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all);
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        boolean isVictim = command.toString().contains("victim") && command.size() == 3;
        builder.environment().putAll(isVictim ? Map.of("SECRET", SECRET) : Map.of());
        Process process = builder.start();
        started.add(process);
        return process;
    }

    /** The process group of this process, which is that of the processes that it starts until they leave it. */
    private static String group() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[2];
    }

    private static boolean isRunning(String argument) {
        return processes(argument).findAny().isPresent();
    }

    private static void killByArgument(String argument) {
        processes(argument).forEach(ProcessHandle::destroyForcibly);
    }

    private static Stream<ProcessHandle> processes(String argument) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.endsWith("sleep " + argument))
                        .isPresent());
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException failure) {
            return failure.toString();
        }
    }
}
