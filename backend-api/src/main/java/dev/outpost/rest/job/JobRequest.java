package dev.outpost.rest.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The request for a job.
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
        Duration timeout) {}
