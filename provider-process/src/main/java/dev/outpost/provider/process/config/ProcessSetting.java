package dev.outpost.provider.process.config;

import dev.outpost.provider.support.SettingChoice;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A setting of the provider. */
public enum ProcessSetting {
    CACHE("", "An AOT cache of the runtime's JVM for exactly this jar and these flags. It makes starts faster."),
    ENGINE(
            "",
            "The engine: `cpu`, `cuda` or `reference`. By default `cuda` on a GPU of this host, and `cpu` for `any` on a host"
                    + " without a GPU."),
    ENVIRONMENT(
            "",
            "Names of environment variables of this process, separated by commas, that machines and jobs also get. They"
                    + " always get `PATH`, `HOME`, the locale, the time zone and the folders of CUDA's libraries. If you start the"
                    + " machine for yourself, they also get proxies and credentials of sources. All organisations can read the"
                    + " variables that are named here."),
    FLAGS(
            "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow",
            "Flags of the runtime's JVM, separated by blanks; `@FILE` names a file with flags."),
    GPUS(
            "",
            "Simulated GPUs that this host does not have, as `NAME:ENGINE`, separated by commas. With `A100:cpu`, a machine"
                    + " with an A100 computes on the processor."),
    HOST("127.0.0.1", "The address for connections to machines. Other hosts cannot reach a loopback address."),
    IDLE_TIMEOUT(
            "",
            "The time without an instruction after which a machine ends; by default it does not end for this reason. Machines"
                    + " with a stated life do not depend on it."),
    ISOLATION(
            "auto",
            "The method by which a control plane isolates machines and jobs of different organisations: `namespaces`, a"
                    + " `user` for each organisation (as root), `auto` for all methods that the host allows, or `none`. Without"
                    + " isolation, the host serves only the operator's organisation."),
    JAR("", "The runtime, `outpost-runtime-runner.jar`. `./outpost` sets the jar that it builds."),
    JAVA("", "The Java program that runs the runtime, version 25 or newer; by default that of this JVM."),
    LEASE(
            "30s",
            "The time for which a machine continues after the last message of its client. Machines with a stated life do not"
                    + " depend on it."),
    MAXIMUM_LIFETIME("24h", "The longest life of a machine."),
    MEMORY(
            "",
            "The memory of the process, such as `4Gi`: 70 % of it is for the heap, which holds the values of the engine"
                    + " `cpu`. By default the heap is a quarter of this host's memory."),
    READABLE(
            "",
            "Files and folders that machines and jobs of all organisations may read, separated by commas. Of the host's other"
                    + " files, they see only the system's programs and libraries and the runtime."),
    SOURCES(
            "",
            "The sources from which machines may read models: URIs, separated by commas, such as"
                    + " `file:/models,s3://bucket,hf://org`, each with everything below it. None by default. Machines use the"
                    + " credentials in the environment of this process."),
    SOURCES_CACHE("", "A folder that keeps files of a hub for other machines. By default no files are kept."),
    START_TIMEOUT("60s", "The longest time of a start."),
    STATE(
            "",
            "The folder for the state of all machines; by default `outpost/machines` in `XDG_STATE_HOME`, or in"
                    + " `~/.local/state`."),
    TRUST_ALL_ORGANISATIONS(
            "false",
            "`true` serves all organisations even if the host cannot isolate them. **Then any job of any organisation can"
                    + " read the keys of this backend or worker and act as its operator.**"),
    TTL_AFTER_FINISHED("10m", "The time for which the log and the state of an ended machine are kept."),
    USERS(
            "1879048192-1946157055",
            "The range of UIDs from which each organisation gets one if the control plane is root. Nothing else on this host"
                    + " may use these UIDs.");

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
