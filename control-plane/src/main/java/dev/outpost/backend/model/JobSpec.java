package dev.outpost.backend.model;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A job as it was asked for, which never changes.
 *
 * @param keyId by which key it was asked for
 * @param gpu the kind of GPU, by the catalogue's name
 * @param program the SHA-256 of the jar, in hex
 * @param programName the name of its file
 * @param environment variables of its process
 * @param secrets the names of secrets of the project, each a variable of its process
 * @param retries how often it is run again after a run that failed or was lost; 0 runs it once at the most
 * @param timeout how long a run may take
 */
public record JobSpec(
        String organisation,
        String project,
        String owner,
        String keyId,
        String name,
        String gpu,
        String program,
        String programName,
        List<String> arguments,
        Map<String, String> environment,
        List<String> secrets,
        int retries,
        Duration timeout) {
    public JobSpec {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        secrets = List.copyOf(secrets);
        if (retries < 0 || timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    "job: expected 0 retries or more and a timeout, got " + retries + " and " + timeout);
        }
    }
}
