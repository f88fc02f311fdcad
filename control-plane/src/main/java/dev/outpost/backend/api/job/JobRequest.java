package dev.outpost.backend.api.job;

import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.api.machine.MachineInputs;
import dev.outpost.backend.model.JobSpec;
import dev.outpost.provider.GpuCatalogue;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a job is asked for by.
 *
 * @param name as a list shows it; the program's unless given
 * @param program the SHA-256 of the jar, which was sent before
 * @param programName the name of its file
 * @param environment variables of its process; names that begin with OUTPOST_ are the backend's
 * @param secrets the names of secrets of the project, each a variable of its process
 * @param retries how often it is run again after a run that failed or was lost; 0 unless given
 * @param timeout how long a run may take; PT24H unless given
 */
public record JobRequest(
        String name,
        String project,
        String gpu,
        String program,
        String programName,
        List<String> arguments,
        Map<String, String> environment,
        List<String> secrets,
        Integer retries,
        Duration timeout) {
    private static final Duration STANDARD_TIMEOUT = Duration.ofHours(24);
    static final String VARIABLE = "[A-Za-z_][A-Za-z0-9_]{0,99}";
    private static final String OURS = "OUTPOST_";

    /** Refuses what cannot be; a {@link Problem} names the field, the value and what was expected. */
    JobSpec checked(Caller caller, GpuCatalogue catalogue) {
        String file = programName == null ? "program.jar" : programName;
        if (!file.matches("[A-Za-z0-9._-]{1,100}\\.jar")) {
            throw Problem.invalid(
                    "programName: expected the name of a jar of up to 104 letters, digits, dots, dashes and underscores");
        }
        String named = ResourceNames.text("name", name == null ? file : name);
        return new JobSpec(
                caller.organisation(),
                caller.projectOr(Optional.ofNullable(project)),
                "key " + caller.keyId(),
                caller.keyId(),
                named,
                catalogue.find(gpu == null ? "any" : gpu).name(),
                Inputs.programHash(program),
                file,
                checkedArguments(),
                variables(),
                secretNames(),
                checkedRetries(),
                MachineInputs.time("timeout", timeout).orElse(STANDARD_TIMEOUT));
    }

    private List<String> checkedArguments() {
        List<String> all = Optional.ofNullable(arguments).orElse(List.of());
        requireFew("arguments", all.size());
        all.forEach(text -> requireText("arguments", text));
        return all;
    }

    private Map<String, String> variables() {
        Map<String, String> all = Optional.ofNullable(environment).orElse(Map.of());
        requireFew("environment", all.size());
        all.forEach((variable, value) -> {
            requireVariable("environment", variable);
            requireText("environment", value);
        });
        return all;
    }

    private List<String> secretNames() {
        List<String> all = Optional.ofNullable(secrets).orElse(List.of());
        requireFew("secrets", all.size());
        all.forEach(secret -> requireVariable("secrets", secret));
        Set<String> twice = new HashSet<>(all);
        twice.retainAll(variables().keySet());
        if (!twice.isEmpty()) {
            throw Problem.invalid("secrets: " + twice + " are set by environment as well; take one of the two");
        }
        return all;
    }

    private static void requireFew(String field, int size) {
        if (size > Bounds.JOB_TEXTS) {
            throw Problem.invalid(field + ": expected up to " + Bounds.JOB_TEXTS + ", got " + size);
        }
    }

    private static void requireText(String field, String text) {
        if (text == null || text.length() > Bounds.JOB_TEXT || text.indexOf('\0') >= 0) {
            throw Problem.invalid(field + ": expected texts of up to " + Bounds.JOB_TEXT + " characters");
        }
    }

    private static void requireVariable(String field, String variable) {
        if (variable == null || !variable.matches(VARIABLE) || variable.startsWith(OURS)) {
            throw Problem.invalid(field + ": expected names of variables that do not begin with " + OURS + ", got "
                    + ResourceNames.shown(variable));
        }
    }

    private int checkedRetries() {
        int asked = retries == null ? 0 : retries;
        if (asked < 0 || asked > Bounds.JOB_RETRIES) {
            throw Problem.invalid("retries: expected 0 to " + Bounds.JOB_RETRIES + ", got " + asked);
        }
        return asked;
    }
}
