package dev.outpost.rest.cluster;

import java.time.Instant;

/**
 * A row that failed.
 *
 * @param loop which loop it failed in
 * @param row its name, such as the id of a job or the organisation of a budget
 * @param failures how often it failed in a row
 * @param text why it failed last
 * @param retry when it is tried again
 */
public record FailureView(String loop, String row, int failures, String text, Instant since, Instant retry) {}
