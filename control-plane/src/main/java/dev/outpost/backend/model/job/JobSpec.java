package dev.outpost.backend.model.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The request for a job, which never changes.
 *
 * @param keyId the key of the request
 * @param gpu the kind of GPU, by the catalogue's name
 * @param program the SHA-256 of the jar, in hex
 * @param programName the name of its file
 * @param environment variables of its process
 * @param secrets the names of secrets of the project, each a variable of its process
 * @param retries the number of further runs after a run that failed or was lost; with 0 it runs at most once
 * @param timeout the longest time of a run
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
