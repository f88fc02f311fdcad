package dev.outpost.provider.process.config;

import dev.outpost.provider.support.SettingChoice;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A setting of the provider. */
public enum ProcessSetting {
    CACHE("", "An AOT cache of the runtime's JVM, for the jar and the flags as they are; starts are slower without."),
    ENGINE(
            "",
            "What computes: `cpu`, `cuda` or `reference`. Where it is not said: `cuda` on a GPU of this host; `cpu` for `any`"
                    + " on a host without one."),
    ENVIRONMENT(
            "",
            "Variables of this process that machines and jobs get too, as names with commas between them. They get `PATH`,"
                    + " `HOME`, the locale, the time zone and the places of CUDA's libraries always, and proxies and credentials of"
                    + " sources if you start the machine for yourself. Organisations can read each variable that is named here."),
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
    ISOLATION(
            "auto",
            "How a control plane keeps machines and jobs of organisations apart: by `namespaces`, by a `user` for each"
                    + " organisation (as root), `auto` by all that the host allows, `none`. If nothing keeps them apart, only the"
                    + " operator's organisation is served."),
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
    READABLE(
            "",
            "Files and folders that machines and jobs of all organisations may read, with commas between them. They see the"
                    + " system's programs and libraries and the runtime, and nothing else of the host."),
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
    TRUST_ALL_ORGANISATIONS(
            "false",
            "`true` serves all organisations also where nothing keeps them apart. **Then any job of any organisation can read"
                    + " the keys of this backend or worker and act as its operator.**"),
    TTL_AFTER_FINISHED("10m", "How long what is left of a machine that has ended is kept, with its log."),
    USERS(
            "1879048192-1946157055",
            "The UIDs from which organisations get one each where the control plane is root. Nothing else on this host may use"
                    + " them.");

    /** The prefix of a setting's system property. */
    public static final String PREFIX = "outpost.process.";

    private final String standard;
    private final String description;

    ProcessSetting(String standard, String description) {
        this.standard = standard;
        this.description = description;
    }

    /** The name in the options of a machine: {@code idle-timeout}. */
    public String text() {
        return SettingChoice.text(this);
    }

    /** The system property: {@code outpost.process.idle-timeout}. */
    public String property() {
        return PREFIX + text();
    }

    /** The environment variable: {@code OUTPOST_PROCESS_IDLE_TIMEOUT}. */
    public String variable() {
        return "OUTPOST_PROCESS_" + name();
    }

    /** The default value; empty if it depends on other settings or on the host. */
    public String standard() {
        return standard;
    }

    /** The description in Markdown. */
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
