package dev.outpost.rest.deployment;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/**
 * Whose it is.
 *
 * @param project the one that it is for; all of the organisation's where it is absent
 * @param billed the project that has the bill
 * @param tokensLeft how many tokens texts may have yet in this month, or 0 where a budget is used up; absent where neither bounds them
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AdmittedKey(String keyId, String project, String billed, Long tokensLeft, Instant expires) {}
