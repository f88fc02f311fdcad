package dev.outpost.backend.identity;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of logins.
 *
 * @param issuer empty if people log in only by keys
 * @param keyLife the lifetime of the key of a login
 * @param memberLife the time after a login for which a person has the roles of groups
 */
public record Login(Optional<Issuer> issuer, RoleMap roles, Duration keyLife, Duration memberLife) {
    private static final Duration MEMBER_LIFE = Duration.ofHours(24);

    /**
     * Uses the configured lifetime of role memberships. The default is 24 hours, or the lifetime of a login's key if that is longer.
     */
    public static Login of(Optional<Issuer> issuer, RoleMap roles, Duration keyLife, Optional<Duration> memberLife) {
        return new Login(
                issuer, roles, keyLife, memberLife.orElse(keyLife.compareTo(MEMBER_LIFE) > 0 ? keyLife : MEMBER_LIFE));
    }

    public Login {
        if (memberLife.compareTo(keyLife) < 0) {
            throw new IllegalArgumentException("OUTPOST_BACKEND_OIDC_MEMBER_LIFE: expected " + keyLife
                    + " or more, as long as the key of a login holds, got " + memberLife);
        }
    }
}
