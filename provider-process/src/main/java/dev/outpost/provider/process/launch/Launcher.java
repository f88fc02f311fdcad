package dev.outpost.provider.process.launch;

import dev.outpost.provider.process.state.MachineFolder;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts the process of a machine, apart from this JVM: it outlives it, and a Ctrl-C at the terminal does not reach it. It writes
 * its number and the time of its start into the machine's folder by itself, before it becomes the runtime. So it is known whoever
 * dies meanwhile, and of two that are started for one machine the second goes away.
 */
public final class Launcher {
    private static final String SHELL = "/bin/sh";

    /** The second line is what {@code Birth} reads. A link is made whole, and never over another. */
    private static final String SCRIPT = """
            umask 077
            trap '' INT HUP
            cd "$1" || exit 1
            mark=$2
            shift 2
            birth() {
                if [ -r /proc/self/stat ]; then
                    read -r stat </proc/$$/stat
                    set -- ${stat##*) }
                    shift 19
                    boot=
                    [ ! -r /proc/sys/kernel/random/boot_id ] || read -r boot </proc/sys/kernel/random/boot_id
                    echo "$1" $boot
                else
                    LC_ALL=C TZ=UTC ps -o lstart= -p $$
                fi
            }
            printf '%s\\n' "$$" "$(birth)" >.$mark-$$
            ln .$mark-$$ $mark 2>/dev/null
            first=$?
            rm -f .$mark-$$
            [ $first -eq 0 ] || exit 0
            if [ $mark = process ]; then
                exec </dev/null >>out 2>>log
            else
                exec </dev/null >>log 2>>log
            fi
            exec "$@"
            """;

    /** Variables of this process are not for the runtime, but for those that say where CUDA's libraries are. */
    private static final String OURS = "OUTPOST_";

    private static final String FOR_CUDA = "OUTPOST_CUDA_";

    private Launcher() {}

    /** Returns at once. A machine whose process is there already is left alone, and so is its runner. */
    public static void launch(MachineFolder machine) throws IOException {
        launch(machine, MachineFolder.PROCESS, machine.command(), Map.of());
        List<String> runner = machine.runnerCommand();
        if (!runner.isEmpty()) {
            launch(machine, MachineFolder.RUNNER, runner, machine.runnerEnvironment());
        }
    }

    private static void launch(
            MachineFolder machine, String mark, List<String> program, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>(
                List.of(SHELL, "-c", SCRIPT, "outpost", machine.path().toString(), mark));
        command.addAll(program);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
        builder.environment().keySet().removeIf(name -> name.startsWith(OURS) && !name.startsWith(FOR_CUDA));
        builder.environment().putAll(environment);
        machine.record().device().ifPresent(uuid -> builder.environment().put("CUDA_VISIBLE_DEVICES", uuid));
        builder.start().getOutputStream().close();
    }
}
