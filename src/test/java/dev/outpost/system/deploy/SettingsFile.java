package dev.outpost.system.deploy;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A file of environment variables that both a shell and Kustomize read. */
final class SettingsFile {
    static final String NAME = "settings.env";
    private static final String PREFIX = "OUTPOST_K8S_";

    private SettingsFile() {}

    /** The variables in the order in which they stand there. */
    static Map<String, String> read(Path file) {
        Map<String, String> variables = new LinkedHashMap<>();
        DeployFolder.read(file)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("=", 2))
                .forEach(pair -> variables.put(pair[0], pair[1]));
        return variables;
    }

    /** The variables as options of a machine: {@code OUTPOST_K8S_START_TIMEOUT} is {@code start-timeout}. */
    static Map<String, String> options(Map<String, String> variables) {
        Map<String, String> options = new LinkedHashMap<>();
        variables.forEach((name, value) -> options.put(option(name), value));
        return options;
    }

    private static String option(String variable) {
        if (!variable.startsWith(PREFIX)) {
            throw new AssertionError(variable + " is no setting of machines on Kubernetes");
        }
        return variable.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
