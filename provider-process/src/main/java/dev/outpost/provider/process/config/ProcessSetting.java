package dev.outpost.provider.process.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One thing that can be set. */
public enum ProcessSetting {
    CACHE("", "An AOT cache of the runtime's JVM, for the jar and the flags as they are; starts are slower without."),
    ENGINE(
            "",
            "What computes: `cpu`, `cuda` or `reference`. Where it is not said: `cuda` on a GPU of this host; `cpu` for `any`"
                    + " on a host without one."),
    FLAGS(
            "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow",
            "Flags of the runtime's JVM, with blanks between them; `@FILE` names a file of them."),
    GPUS(
            "",
            "Stand-ins for GPUs that this host does not have, as `NAME:ENGINE` with commas between them: with `A100:cpu` who"
                    + " asks for an A100 computes on the processor."),
    HOST("127.0.0.1", "The address on which machines serve; other hosts reach only one that is not loopback."),
    IDLE_TIMEOUT(
            "",
            "How long a machine may go without an instruction before it ends; never ends so where it is not said. Machines of"
                    + " a stated life do not depend on it."),
    JAR("", "The runtime, `outpost-runtime-runner.jar`. `./outpost` names the one that it builds."),
    JAVA("", "The program that runs it, a Java 25 or newer; the one of this JVM where it is not said."),
    LEASE(
            "30s",
            "How long a machine outlives the last sign of its client; machines of a stated life do not depend on it."),
    MAXIMUM_LIFETIME("24h", "How long a machine may live at the most."),
    MEMORY(
            "",
            "What the process may take, such as `4Gi`: 70 % of it is for the heap, which holds the values of the engine `cpu`."
                    + " Where it is not said, the heap is a quarter of this host's memory."),
    SOURCES(
            "",
            "What machines may read models from: URIs with commas between them, such as `file:/models,s3://bucket,hf://org`, and"
                    + " all below each. Nothing where it is not said. Credentials are those of this process' environment."),
    SOURCES_CACHE("", "A folder that keeps files of a hub for other machines; nothing is kept where it is not said."),
    START_TIMEOUT("60s", "How long a start may take."),
    STATE(
            "",
            "The folder of what there is of each machine. Where it is not said: `outpost/machines` in `XDG_STATE_HOME`, or in"
                    + " `~/.local/state`."),
    TTL_AFTER_FINISHED("10m", "How long what is left of a machine that has ended is kept, with its log.");

    /** Before a setting's name in a system property. */
    public static final String PREFIX = "outpost.process.";

    private final String standard;
    private final String description;

    ProcessSetting(String standard, String description) {
        this.standard = standard;
        this.description = description;
    }

    /** As in the options of a machine: {@code idle-timeout}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code outpost.process.idle-timeout}. */
    public String property() {
        return PREFIX + text();
    }

    /** {@code OUTPOST_PROCESS_IDLE_TIMEOUT}. */
    public String variable() {
        return "OUTPOST_PROCESS_" + name();
    }

    /** The value that holds where none is set; empty where that depends. */
    public String standard() {
        return standard;
    }

    /** In Markdown. */
    public String description() {
        return description;
    }

    static Optional<ProcessSetting> of(String text) {
        return Arrays.stream(values())
                .filter(setting -> setting.text().equals(text))
                .findFirst();
    }

    static List<String> names() {
        return Arrays.stream(values()).map(ProcessSetting::text).toList();
    }
}
