package dev.outpost.rest.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The request for a job.
 *
 * @param name the name in lists; {@code programName} by default
 * @param project the project that pays; the key's by default, or {@code default}
 * @param gpu a kind of the catalogue, or {@code any}
 * @param program the SHA-256, in hex, of a jar that was sent to {@code /v1/files}
 * @param programName the file name of the jar
 * @param arguments the arguments of the program
 * @param environment additional environment variables; the backend sets those that begin with OUTPOST_
 * @param secrets the names of secrets of the project; each becomes an environment variable
 * @param retries the number of further runs after runs that failed or were lost; 0 by default
 * @param timeout the longest time of a run; {@code PT24H} by default
 */
public record JobRequest(
        @Nullable String name,
        @Nullable String project,
        String gpu,
        String program,
        String programName,
        @Nullable List<String> arguments,
        @Nullable Map<String, String> environment,
        @Nullable List<String> secrets,
        @Nullable Integer retries,
        @Nullable Duration timeout) {}
