package dev.outpost.rest.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The API's view of a member.
 *
 * @param subject the issuer's name of the person
 * @param project the project of the membership; absent for a member of the whole organisation
 * @param expires when a membership by an issuer's groups ends unless a login renews it; absent for another one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MemberView(
        String subject,
        @Nullable String project,
        Role role,
        Instant created,
        @Nullable Instant expires,
        long version) {}
