package dev.outpost.rest.cluster;

import java.time.Instant;

/**
 * A row of the database that a loop of the backend failed to process.
 *
 * @param loop the name of the loop
 * @param row the name of the row, such as the id of a job or the organisation of a budget
 * @param failures the number of failures since the last success
 * @param text the reason of the last failure
 * @param since the time of the first failure
 * @param retry the time of the next attempt
 */
public record FailureView(String loop, String row, int failures, String text, Instant since, Instant retry) {}
