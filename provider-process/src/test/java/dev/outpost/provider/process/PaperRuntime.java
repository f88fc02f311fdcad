package dev.outpost.provider.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** A program that replaces the runtime's JVM. It prints and writes the same as a runtime, but computes nothing. */
public final class PaperRuntime {
    /** Ends as {@code unused} after its time, or by SIGTERM. The first argument determines how it begins. */
    private static final String SCRIPT = """
            #!/bin/sh
            echo "$$" >>../../started
            case $1 in
                refuse) echo "outpost runtime: port 1 cannot be served: it is taken" >&2; exit 1 ;;
                crash) printf '#\\n# A fatal error has been detected by the Java Runtime Environment:\\n#\\n#  SIGSEGV (0xb) at pc=0x1, pid=2\\n' >crash; kill -9 $$ ;;
            esac
            trap 'echo "drained: it was told to stop" >end; exit 143' TERM
            trap '' INT
            unused=
            for argument in "$@"; do
                case $argument in
                    -Doutpost.runtime.end.unused=PT*S) unused=${argument#*=PT}; unused=${unused%S} ;;
                esac
            done
            echo "endpoint    127.0.0.1:4711"
            echo "pin         PIN"
            echo "management  https://127.0.0.1:4712"
            echo "device      paper"
            if [ -n "$unused" ]; then
                sleep "$unused" &
                wait $!
                echo "unused: no client has sent anything for $unused s" >end
                exit 0
            fi
            while :; do sleep 1 & wait $!; done
            """.replace("PIN", "0c".repeat(32));

    private PaperRuntime() {}

    /** The settings of machines in a folder of this one, which begin so: {@code serve}, {@code refuse} or {@code crash}. */
    public static Map<String, String> options(Path folder, String beginning) throws IOException {
        Path program = folder.resolve("paper-runtime");
        if (!Files.exists(program)) {
            Files.writeString(program, SCRIPT);
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return Map.of(
                "state", folder.resolve("machines").toString(),
                "jar", program.toString(),
                "java", program.toString(),
                "flags", beginning,
                "cache", "");
    }

    /** Returns the number of processes that have started so far. */
    public static long started(Path folder) throws IOException {
        Path list = folder.resolve("started");
        return Files.exists(list) ? Files.readAllLines(list).size() : 0;
    }
}
