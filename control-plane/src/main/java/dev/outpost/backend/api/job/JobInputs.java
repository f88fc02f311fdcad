package dev.outpost.backend.api.job;

import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Caller;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.api.machine.MachineInputs;
import dev.outpost.backend.model.job.JobSpec;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.job.JobRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks requests for jobs. */
final class JobInputs {
    private static final Duration STANDARD_TIMEOUT = Duration.ofHours(24);
    static final String VARIABLE = "[A-Za-z_][A-Za-z0-9_]{0,99}";
    private static final String OURS = "OUTPOST_";

    private JobInputs() {}

    /** Refuses invalid requests. A {@link Problem} names the field, the value and the expected values. */
    static JobSpec checked(JobRequest body, Caller caller, GpuCatalogue catalogue) {
        String file = body.programName() == null ? "program.jar" : body.programName();
        if (!file.matches("[A-Za-z0-9._-]{1,100}\\.jar")) {
            throw Problem.invalid(
                    "programName: expected the name of a jar of up to 104 letters, digits, dots, dashes and underscores");
        }
        String named = ResourceNames.text("name", body.name() == null ? file : body.name());
        return new JobSpec(
                caller.organisation(),
                caller.projectOr(Optional.ofNullable(body.project())),
                "key " + caller.keyId(),
                caller.keyId(),
                named,
                catalogue.find(body.gpu() == null ? "any" : body.gpu()).name(),
                Inputs.programHash(body.program()),
                file,
                checkedArguments(body),
                variables(body),
                secretNames(body),
                checkedRetries(body),
                MachineInputs.time("timeout", body.timeout()).orElse(STANDARD_TIMEOUT));
    }

    private static List<String> checkedArguments(JobRequest body) {
        List<String> all = Optional.ofNullable(body.arguments()).orElse(List.of());
        requireFew("arguments", all.size());
        all.forEach(text -> requireText("arguments", text));
        return all;
    }

    private static Map<String, String> variables(JobRequest body) {
        Map<String, String> all = Optional.ofNullable(body.environment()).orElse(Map.of());
        requireFew("environment", all.size());
        all.forEach((variable, value) -> {
            requireVariable("environment", variable);
            requireText("environment", value);
        });
        return all;
    }

    private static List<String> secretNames(JobRequest body) {
        List<String> all = Optional.ofNullable(body.secrets()).orElse(List.of());
        requireFew("secrets", all.size());
        all.forEach(secret -> requireVariable("secrets", secret));
        Set<String> twice = new HashSet<>(all);
        twice.retainAll(variables(body).keySet());
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

    private static int checkedRetries(JobRequest body) {
        int asked = body.retries() == null ? 0 : body.retries();
        if (asked < 0 || asked > Bounds.JOB_RETRIES) {
            throw Problem.invalid("retries: expected 0 to " + Bounds.JOB_RETRIES + ", got " + asked);
        }
        return asked;
    }
}
