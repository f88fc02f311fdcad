package dev.outpost.rest.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/** A member as the API shows it; without a project of the whole organisation. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MemberView(String subject, String project, Role role, Instant created, long version) {}
