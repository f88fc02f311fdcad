package dev.outpost.rest.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a member.
 *
 * @param subject the issuer's name of the person
 * @param project the project of the membership; absent for a member of the whole organisation
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MemberView(String subject, @Nullable String project, Role role, Instant created, long version) {}
